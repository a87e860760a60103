package import CLibuv
import CPlatform
import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread with a libuv loop on which sockets of other libraries are watched: of libcurl, of libpq.
///
/// It stays for the life of the process. So it is the value of a static property, which makes it at its first use.
package final class EventLoop: @unchecked Sendable {
    /// On the loop's thread alone.
    package let pointer: UnsafeMutablePointer<uv_loop_t> = .allocate(capacity: 1)
    private let inbox = Locked<[@Sendable () -> Void]>([])
    private let wakeUp: UnsafeMutablePointer<uv_async_t> = .allocate(capacity: 1)

    /// Starts the thread.
    package init() {
        uv_loop_init(pointer)
        wakeUp.initialize(to: uv_async_t())
        uv_async_init(pointer, wakeUp) { handle in
            Unmanaged<EventLoop>.fromOpaque(handle!.pointee.data).takeUnretainedValue().empty()
        }
        wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        let code = shim_start_thread(runEventLoop, Unmanaged.passRetained(self).toOpaque(), 8 << 20)
        precondition(code == 0, "Cannot start the thread of an event loop: error \(code).")
    }

    /// Has something done on the loop, in the order of the calls. From any thread; returns at once.
    package func post(_ job: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(job) }
        uv_async_send(wakeUp)
    }

    fileprivate func run() {
        while true { uv_run(pointer, UV_RUN_DEFAULT) }
    }

    private func empty() {
        let jobs = inbox.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in jobs { job() }
    }
}

private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<EventLoop>.fromOpaque(context!).takeUnretainedValue().run()
    return nil
}
