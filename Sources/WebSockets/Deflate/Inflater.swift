import CZlib

/// Decompresses messages of `permessage-deflate` (RFC 7692 §7.2.2), each by itself, and never far beyond a limit: a bomb
/// is given up when it has shown itself as one.
///
/// ```
/// │◀── limit ──▶│◀── skipped ──▶│ skipLimit
///     message   │   tooLarge    │ flood: the rest is not even decompressed
/// ```
/// One for each loop, on its thread alone. Its 40 KiB, and room for a message, are taken with the first message.
final class Inflater {
    /// What became of a message.
    enum Outcome {
        /// The bytes belong to the inflater and are valid until the next message.
        case message(UnsafeRawBufferPointer)
        case tooLarge
        case flood
        /// Not DEFLATE, or ended early.
        case malformed
    }

    /// Bytes that a sender leaves out at the end of each message.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    /// What `data_type` says where a block that was not the last has just ended, on a whole byte (zlib.h, at `inflate`).
    private static let blockEnded: Int32 = 128

    private let limit: Int
    private let skipLimit: Int
    private var stream: UnsafeMutablePointer<z_stream>?
    /// One byte more than a message may have.
    private var output = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// Of the message under way, so far.
    private var length = 0
    /// A last block of DEFLATE, and the input, ended together.
    private var isOver = false

    /// - Parameters:
    ///   - limit: bytes of a message.
    ///   - skipLimit: bytes after which nothing more is decompressed; no smaller.
    init(limit: Int, skipLimit: Int) {
        self.limit = limit
        self.skipLimit = max(limit, skipLimit)
    }

    deinit {
        output.deallocate()
        guard let stream else { return }
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The message whose frames had this payload together.
    func inflated(_ payload: UnsafeRawBufferPointer) -> Outcome {
        // An empty message has one byte (RFC 7692 §7.2.3.6); some senders leave that out, too.
        guard !payload.isEmpty else { return .message(payload) }
        let stream = ready()
        if let end = take(payload, stream) ?? takeTail(stream) { return end }
        return length > limit
            ? .tooLarge : .message(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<length]))
    }

    /// The bytes left out are the end of an empty block (RFC 7692 §7.2.1). Where a message ends early they may still read as
    /// something, but not as nothing.
    private func takeTail(_ stream: UnsafeMutablePointer<z_stream>) -> Outcome? {
        if isOver { return nil }
        let before = length
        if let end = Self.tail.withUnsafeBytes({ take($0, stream) }) { return end }
        let isWhole = isOver || stream.pointee.data_type == Self.blockEnded
        return isWhole && length == before ? nil : .malformed
    }

    /// Decompresses all of `input`; nil if nothing is wrong so far.
    private func take(_ input: UnsafeRawBufferPointer, _ stream: UnsafeMutablePointer<z_stream>) -> Outcome? {
        let bytes = input.assumingMemoryBound(to: UInt8.self)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            let status = step(stream)
            if length > skipLimit { return .flood }
            let hasInput = stream.pointee.avail_in > 0
            switch status {
            case Z_STREAM_END where hasInput:
                // A last block, and more behind it (RFC 7692 §7.2.3.4): that begins anew.
                inflateReset(stream)
            case Z_STREAM_END:
                isOver = true
                return nil
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_out > 0 { return hasInput ? .malformed : nil }
            default: return .malformed
            }
        }
    }

    /// One call of `inflate`. What is beyond the limit overwrites what was there: it is only counted.
    private func step(_ stream: UnsafeMutablePointer<z_stream>) -> Int32 {
        let start = length > limit ? 0 : length
        let room = output.count - start
        stream.pointee.next_out = output.baseAddress.map { $0 + start }
        stream.pointee.avail_out = UInt32(room)
        let status = inflate(stream, Z_SYNC_FLUSH)
        length += room - Int(stream.pointee.avail_out)
        return status
    }

    private func ready() -> UnsafeMutablePointer<z_stream> {
        length = 0
        isOver = false
        if let stream {
            inflateReset(stream)
            return stream
        }
        let made = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        made.initialize(to: z_stream())
        let status = shim_raw_inflate_init(made)
        precondition(status == Z_OK, "Out of memory: inflateInit2 returned \(status).")
        output = .allocate(capacity: limit + 1)
        stream = made
        return made
    }
}
