package import CLibuv
import CPlatform
import Locking
import Synchronization

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
///
/// An actor whose executor it is runs on that thread, beside what the sockets tell, and so does a task that prefers it.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// On the loop's thread alone.
    package let pointer: UnsafeMutablePointer<uv_loop_t> = .allocate(capacity: 1)
    private let inbox = Locked<[@Sendable () -> Void]>([])
    private let wakeUp: UnsafeMutablePointer<uv_async_t> = .allocate(capacity: 1)
    /// As a number; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    private static var currentThread: UInt { UInt(pthread_self()) }

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

    /// For Swift's concurrency.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    package func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .acquiring) == Self.currentThread
    }

    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "What belongs to a loop was touched from another thread.")
    }

    fileprivate func run() {
        thread.store(Self.currentThread, ordering: .releasing)
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
