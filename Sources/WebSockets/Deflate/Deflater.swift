import CZlib
import Locking

/// Compresses payloads of frames for `permessage-deflate` (RFC 7692 §7.2.1), each by itself: none needs another to be
/// read, so what is made for one socket serves all.
///
/// One for each loop, on its thread alone. Its 260 KiB are taken with the first payload.
final class Deflater {
    /// Of zlib's 1…9: a sixth of the bytes in 0.3 ms for 64 KiB (Documentation/Decisions/09).
    private static let level: Int32 = 4
    /// The bytes 00 00 FF FF, with which a flush ends, and which are not sent.
    private static let tail = 4

    /// How many payloads were compressed, or tried.
    private(set) var count = 0
    private var stream: UnsafeMutablePointer<z_stream>?

    deinit {
        guard let stream else { return }
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The payload compressed; nil if that is not smaller.
    func deflated(_ payload: UnsafeRawBufferPointer) -> [UInt8]? {
        count += 1
        let stream = ready()
        let room = payload.count + Self.tail
        let output = [UInt8](unsafeUninitializedCapacity: room) { output, length in
            let input = payload.assumingMemoryBound(to: UInt8.self)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(room)
            let status = deflate(stream, Z_SYNC_FLUSH)
            // With no room left there may be more to come: it is not smaller.
            let isWhole = status == Z_OK && stream.pointee.avail_out > 0
            length = isWhole ? room - Int(stream.pointee.avail_out) - Self.tail : 0
        }
        return output.isEmpty ? nil : output
    }

    private func ready() -> UnsafeMutablePointer<z_stream> {
        if let stream {
            deflateReset(stream)
            return stream
        }
        let made = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        made.initialize(to: z_stream())
        let status = shim_raw_deflate_init(made, Self.level)
        precondition(status == Z_OK, "Out of memory: deflateInit2 returned \(status).")
        stream = made
        return made
    }
}

/// The compressed form of one shared frame: made once, for the first who may be sent it, and kept with the frame.
final class CompressedForm: Sendable {
    private enum State {
        case untried
        /// It would not be smaller.
        case useless
        case made([UInt8])
    }

    private let state = Locked(State.untried)

    /// The form, made by `make` the first time; nil if it is no use. Another loop that wants it meanwhile waits.
    func bytes(_ make: () -> [UInt8]?) -> [UInt8]? {
        state.withLock { state in
            if case .untried = state { state = make().map(State.made) ?? .useless }
            guard case .made(let bytes) = state else { return nil }
            return bytes
        }
    }
}
