/// One finished WebSocket frame (RFC 6455 §5.2): header and payload in one immutable block, sent to any number of sockets
/// without a copy. Sockets that agreed to `permessage-deflate` share a compressed form of it, made at most once.
///
/// ```
/// ┌────────┬──────────────────┬─────────┐
/// │ 81     │ 7F 00 00 … 01 2C │ payload │
/// └ opcode ┴ length: 1, 3, 9 ┴─────────┘
/// ```
public final class SharedFrame: Sendable {
    /// Header and payload.
    let bytes: [UInt8]
    /// Bytes of payload, without the header.
    public let payloadLength: Int
    /// nil where compressing does not pay, and in frames of control.
    private let compressed: CompressedForm?
    /// Bytes of payload from which on a frame is compressed: less saves less than it costs.
    static let compressionThreshold = 512

    /// A text message in one frame. `text` must be valid UTF-8: it is not checked again.
    public convenience init(text: [UInt8]) {
        self.init(opcode: .text, payload: text)
    }

    /// A binary message in one frame.
    public convenience init(binary: [UInt8]) {
        self.init(opcode: .binary, payload: binary)
    }

    /// The payload of a text message, for whoever carries it otherwise.
    package var text: String { String(decoding: bytes.suffix(payloadLength), as: UTF8.self) }

    init(opcode: Opcode, payload: [UInt8]) {
        bytes = Self.header(opcode, payload.count) + payload
        payloadLength = payload.count
        let isLarge = payload.count >= Self.compressionThreshold
        compressed = isLarge && (opcode == .text || opcode == .binary) ? CompressedForm() : nil
    }

    /// A frame of a client, masked as RFC 6455 §5.3 demands.
    init(opcode: Opcode, masking payload: [UInt8], key: UInt32 = .random(in: .min ... .max)) {
        var bytes = Self.header(opcode, payload.count, isMasked: true)
        let key = withUnsafeBytes(of: key) { Array($0) }
        bytes.reserveCapacity(bytes.count + 4 + payload.count)
        bytes.append(contentsOf: key)
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
        self.bytes = bytes
        payloadLength = payload.count
        compressed = nil
    }

    /// Header and payload for a socket that agreed to compression: compressed, if that is smaller.
    func bytes(compressedBy deflater: Deflater) -> [UInt8] {
        compressed?.bytes { deflated(by: deflater) } ?? bytes
    }

    private func deflated(by deflater: Deflater) -> [UInt8]? {
        let payload = bytes.withUnsafeBytes { bytes in
            deflater.deflated(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - payloadLength)...]))
        }
        guard let payload, let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { return nil }
        return Self.header(opcode, payload.count, isCompressed: true) + payload
    }

    /// What the server sends to see whether the peer is there.
    static let ping = SharedFrame(opcode: .ping, payload: [0x72])

    private static func header(
        _ opcode: Opcode, _ length: Int, isMasked: Bool = false, isCompressed: Bool = false
    ) -> [UInt8] {
        let mask: UInt8 = isMasked ? 0x80 : 0
        // RSV1 says that the message is compressed (RFC 7692 §6).
        let first = 0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue
        switch length {
        case ..<126: return [first, mask | UInt8(length)]
        case ..<65536: return [first, mask | 126, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        default: return [first, mask | 127] + withUnsafeBytes(of: UInt64(length).bigEndian) { Array($0) }
        }
    }
}

extension SharedFrame {
    enum Opcode: UInt8 {
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }
}
