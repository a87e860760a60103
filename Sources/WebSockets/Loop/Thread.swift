import CLibuv

/// A number for the calling thread that no other living thread has.
func currentThread() -> UInt {
    UInt(pthread_self())
}

/// Starts a detached thread that runs `body`.
package func spawnThread(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Musl's own, 128 KiB, is too small for handlers that others write.
    pthread_attr_setstacksize(&attributes, stackSize)
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, runThreadBody, box.toOpaque())
    precondition(status == 0, "Cannot start a thread: pthread_create returned \(status).")
}

/// Of a thread, in bytes, as glibc has it; what is not used takes no memory.
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
