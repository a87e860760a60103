/// Whether a client masked a frame, as RFC 6455 §5.1 demands: libwebsockets neither checks nor tells.
///
/// It unmasks a data frame in place, in the buffer it read it into, so the frame's header still stands before its payload:
/// ```
///   81 85 k0 k1 k2 k3 │ h e l l o        masked
///               81 05 │ h e l l o        not masked
/// ```
/// A frame is judged unmasked only if what stands there is an unmasked header of just this length and kind, and no masked
/// one. Nothing is judged that has no payload; a header cut off by the end of a read may go unseen. At most 14 bytes before
/// the payload are read; libwebsockets has more than that before each of its buffers.
enum FrameHeader {
    /// - Parameters:
    ///   - payload: the first piece of the frame, where libwebsockets keeps it.
    ///   - length: of the whole frame's payload.
    ///   - opcode: 0, 1 or 2.
    static func isUnmasked(before payload: UnsafeRawPointer, length: Int, opcode: UInt8) -> Bool {
        guard length > 0 else { return false }
        let size = length < 126 ? 2 : length < 65536 ? 4 : 10
        return stands(payload - size, length, opcode, mask: 0)
            && !stands(payload - size - 4, length, opcode, mask: 0x80)
    }

    private static func stands(_ header: UnsafeRawPointer, _ length: Int, _ opcode: UInt8, mask: UInt8) -> Bool {
        // FIN and RSV1 may be set or not; other reserved bits are refused by libwebsockets.
        guard header[0] & 0x3F == opcode else { return false }
        switch length {
        case ..<126: return header[1] == mask | UInt8(length)
        case ..<65536: return header[1] == mask | 126 && header.number(at: 2, bytes: 2) == length
        default: return header[1] == mask | 127 && header.number(at: 2, bytes: 8) == length
        }
    }
}

extension UnsafeRawPointer {
    fileprivate subscript(offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }

    /// Big-endian.
    fileprivate func number(at offset: Int, bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
