/// Reads the frames of a peer (RFC 6455 §5) from bytes however they are cut, and refuses the first that breaks a rule. Pure.
///
/// ```
///   81 85 k0 k1 k2 k3 │ h e l l o       FIN and opcode, mask bit and length, key │ payload
///   head: 6, 8 or 14 bytes              piece, as it comes ▶ message
///   89 81 k0 k1 k2 k3 │ r               ping, pong, close: whole
/// ```
/// A server's frames have no key: four bytes less. Payloads are unmasked where they stand. A head, and a control frame, is taken whole or not at all: what is not taken is
/// to be handed in again, with what follows behind it. That is less than `longestHead + longestControl` bytes.
struct FrameReader {
    enum Event {
        case piece(Fragment)
        case ping(UnsafeRawBufferPointer)
        case pong(UnsafeRawBufferPointer)
        case close(UnsafeRawBufferPointer)
        /// Close with this. The reader is of no more use.
        case fault(CloseStatus)
    }

    private struct Message {
        var isBinary: Bool
        var isCompressed: Bool
        /// A piece of it was handed out.
        var isBegun = false
    }

    /// Bytes of a frame before its payload: flags, length, key.
    static let longestHead = 2 + 8 + 4
    /// Bytes of payload that a control frame may have (RFC 6455 §5.5).
    static let longestControl = 125

    /// Whether `permessage-deflate` was agreed upon.
    private let isCompressing: Bool
    /// Whether the peer is a server, whose frames are not masked.
    private let isFromServer: Bool
    /// Bytes of the frame under way that are still to come.
    private var remaining = 0
    /// Of the next byte, in its lowest eight bits, and of those behind it.
    private var key: UInt32 = 0
    /// The frame under way, or the last one, is its message's last.
    private var isFinal = false
    private var message: Message?

    init(isCompressing: Bool, isFromServer: Bool = false) {
        self.isCompressing = isCompressing
        self.isFromServer = isFromServer
    }

    /// What comes next in `bytes`, from `position` on, which moves behind it; nil: more must come. Bytes that an event points
    /// to are in `bytes`.
    mutating func next(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Event? {
        if remaining == 0 {
            do throws(Fault) {
                guard let head = try head(UnsafeRawBufferPointer(rebasing: bytes[position...])) else { return nil }
                if head.isControl { return control(head, bytes, &position) }
                begin(head)
                position += head.size
            } catch {
                return .fault(.protocolError(error.reason))
            }
            if remaining == 0 { return piece(UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
        let count = min(remaining, bytes.count - position)
        guard count > 0 else { return nil }
        let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[position..<(position + count)])
        if !isFromServer { payload.unmask(with: key) }
        key = key.rotated(byBytes: count)
        remaining -= count
        position += count
        return piece(UnsafeRawBufferPointer(payload))
    }

    private mutating func begin(_ head: Head) {
        remaining = head.length
        key = head.key
        isFinal = head.isFinal
        if head.opcode != 0 { message = Message(isBinary: head.opcode == 2, isCompressed: head.isMarked) }
    }

    private mutating func piece(_ bytes: UnsafeRawBufferPointer) -> Event? {
        guard let message else { return nil }
        let isEnd = isFinal && remaining == 0
        self.message?.isBegun = true
        if isEnd { self.message = nil }
        return .piece(
            Fragment(
                bytes: bytes, isFirst: !message.isBegun, isFinal: isEnd, isBinary: message.isBinary,
                isCompressed: message.isCompressed))
    }

    private func control(_ head: Head, _ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Event? {
        let start = position + head.size
        guard bytes.count - start >= head.length else { return nil }
        let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + head.length)])
        if !isFromServer { payload.unmask(with: head.key) }
        position = start + head.length
        return switch head.opcode {
        case 8: .close(UnsafeRawBufferPointer(payload))
        case 9: .ping(UnsafeRawBufferPointer(payload))
        default: .pong(UnsafeRawBufferPointer(payload))
        }
    }
}

// MARK: The rules

extension FrameReader {
    private struct Fault: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private struct Head {
        let opcode: UInt8
        let isFinal: Bool
        /// RSV1: the message that it begins is compressed (RFC 7692 §6).
        let isMarked: Bool
        var length = 0
        var key: UInt32 = 0
        var size = 0

        var isControl: Bool { opcode >= 8 }
    }

    /// nil: it is not whole. A fault is found in the first two bytes, or in those of the length, whatever is behind them.
    private func head(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Head? {
        guard bytes.count >= 2 else { return nil }
        var head = Head(opcode: bytes[0] & 0x0F, isFinal: bytes[0] & 0x80 != 0, isMarked: bytes[0] & 0x40 != 0)
        guard bytes[0] & 0x30 == 0 else { throw Fault("RSV2 and RSV3 have no meaning here") }
        guard (bytes[1] & 0x80 == 0) == isFromServer else {
            throw Fault(isFromServer ? "frames of a server must not be masked" : "frames of a client must be masked")
        }
        try checkOpcode(of: head, hasLongLength: bytes[1] & 0x7F > Self.longestControl)
        guard let (length, size) = try Self.length(bytes) else { return nil }
        head.length = length
        head.size = size
        if isFromServer { return head }
        guard bytes.count >= size + 4 else { return nil }
        head.key = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: size, as: UInt32.self))
        head.size = size + 4
        return head
    }

    private func checkOpcode(of head: Head, hasLongLength: Bool) throws(Fault) {
        if head.isMarked, !isCompressing { throw Fault("RSV1 is set, but no compression was agreed upon") }
        if head.isMarked, ![1, 2].contains(head.opcode) { throw Fault("RSV1 is for a message's first frame") }
        switch head.opcode {
        case 0: if message == nil { throw Fault("no message goes on") }
        case 1, 2: if message != nil { throw Fault("the message before is not whole") }
        case 8, 9, 10:
            guard head.isFinal else { throw Fault("a control frame is one frame") }
            guard !hasLongLength else { throw Fault("a control frame has at most 125 bytes") }
        default: throw Fault("an unknown opcode")
        }
    }

    /// The length, in as few bytes as it needs (RFC 6455 §5.2), and where it ends; nil: it is not whole.
    private static func length(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> (Int, Int)? {
        switch bytes[1] & 0x7F {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            guard length >= 126 else { throw tooManyBytes }
            return (Int(length), 4)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length >= 65_536 else { throw tooManyBytes }
            guard let length = Int(exactly: length) else { throw Fault("a length has at most 63 bits") }
            return (length, 10)
        case let length: return (Int(length), 2)
        }
    }

    private static let tooManyBytes = Fault("a length has as few bytes as it needs")
}

extension UnsafeMutableRawBufferPointer {
    /// RFC 6455 §5.3, eight bytes at a time.
    func unmask(with key: UInt32) {
        let wide = (UInt64(key) << 32 | UInt64(key)).littleEndian
        var index = 0
        while index + 8 <= count {
            storeBytes(
                of: loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < count {
            self[index] ^= UInt8(truncatingIfNeeded: key.rotated(byBytes: index))
            index += 1
        }
    }
}

extension UInt32 {
    /// A key as it stands so many bytes further on.
    fileprivate func rotated(byBytes count: Int) -> UInt32 {
        let bits = UInt32(count & 3) * 8
        return self >> bits | self << ((32 - bits) & 31)
    }
}

/// A part of a message, of one frame.
struct Fragment {
    /// Unmasked. Valid until the callback returns.
    let bytes: UnsafeRawBufferPointer
    /// The message begins with it.
    let isFirst: Bool
    /// The message ends with it.
    let isFinal: Bool
    let isBinary: Bool
    /// The message is compressed.
    let isCompressed: Bool
}
