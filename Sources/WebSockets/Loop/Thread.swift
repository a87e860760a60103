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
