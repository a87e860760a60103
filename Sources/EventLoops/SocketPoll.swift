import CLibuv

/// Tells when a socket can be read or written. On its loop's thread alone.
///
/// The socket stays its owner's, who ends the poll before it closes the socket.
package final class SocketPoll {
    /// What a socket is ready for, or is to be watched for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// It can be read, or has ended.
        package static let readable = Readiness(rawValue: Int32(UV_READABLE.rawValue))
        /// It can be written.
        package static let writable = Readiness(rawValue: Int32(UV_WRITABLE.rawValue))
    }

    private let handle: UnsafeMutablePointer<uv_poll_t> = .allocate(capacity: 1)
    private var tell: ((Readiness) -> Void)?

    /// - Parameter tell: Told of what the socket is ready for; of an error, that it can be read, for reading tells which.
    package init(_ socket: Int32, on loop: EventLoop, tell: @escaping (Readiness) -> Void) {
        self.tell = tell
        handle.initialize(to: uv_poll_t())
        uv_poll_init_socket(loop.pointer, handle, socket)
        handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// Watches for this from now on, and for nothing else.
    package func wait(for events: Readiness) {
        uv_poll_start(handle, events.rawValue) { handle, status, events in
            let poll = Unmanaged<SocketPoll>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
            poll.tell?(status < 0 ? .readable : Readiness(rawValue: events))
        }
    }

    /// Ends it. Nothing is told any more. A second call does nothing.
    package func end() {
        guard tell != nil else { return }
        tell = nil
        uv_poll_stop(handle)
        handle.withMemoryRebound(to: uv_handle_t.self, capacity: 1) { handle in
            uv_close(handle) { handle in
                Unmanaged<SocketPoll>.fromOpaque(handle!.pointee.data).release()
                handle!.deallocate()
            }
        }
    }
}
