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

    /// A text message in one frame.
    public convenience init(text: String) {
        self.init(opcode: .text, payload: Array(text.utf8))
    }

    /// A text message in one frame. `text` must be valid UTF-8: it is not checked again.
    package convenience init(text: [UInt8]) {
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

    /// The bytes of a frame as a client sends it: masked, as RFC 6455 §5.3 demands.
    ///
    /// - Parameter key: new for each frame, and not to be guessed: the default is of the system's generator.
    static func masked(_ frame: [UInt8], key: UInt32 = .random(in: .min ... .max)) -> [UInt8] {
        let length = frame[1] & 0x7F
        let start = length == 127 ? 10 : length == 126 ? 4 : 2
        return [UInt8](unsafeUninitializedCapacity: frame.count + 4) { masked, count in
            for index in 0..<start { masked[index] = frame[index] }
            masked[1] |= 0x80
            for index in 0..<4 { masked[start + index] = UInt8(truncatingIfNeeded: key >> (8 * index)) }
            for index in start..<frame.count { masked[index + 4] = frame[index] }
            UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(masked)[(start + 4)..<(frame.count + 4)]
            )
            .unmask(with: key)
            count = frame.count + 4
        }
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

    private static func header(_ opcode: Opcode, _ length: Int, isCompressed: Bool = false) -> [UInt8] {
        // RSV1 says that the message is compressed (RFC 7692 §6).
        let first = 0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue
        switch length {
        case ..<126: return [first, UInt8(length)]
        case ..<65536: return [first, 126, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        default: return [first, 127] + withUnsafeBytes(of: UInt64(length).bigEndian) { Array($0) }
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
