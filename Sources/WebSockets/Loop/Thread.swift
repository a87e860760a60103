import CLibuv
import CPlatform

/// A number for the calling thread that no other living thread has.
func currentThread() -> UInt {
    UInt(pthread_self())
}

/// Starts a detached thread that runs `body`.
package func spawnThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    let status = shim_start_thread(runThreadBody, box.toOpaque(), stackSize)
    precondition(status == 0, "Cannot start a thread: pthread_create returned \(status).")
}

/// Of a thread, in bytes, as glibc has it. Musl's own, 128 KiB, is too small for handlers that others write.
private let stackSize = 8 << 20

private final class ThreadBody {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// A value behind a `pthread_mutex_t`.
///
/// Not `Synchronization.Mutex`: on Linux the Thread Sanitizer does not see its futex and reports races that are none. So it does
/// for a value of no size, which lies where the object's own header is.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed with \(status).")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held; it must neither block nor call out.
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
