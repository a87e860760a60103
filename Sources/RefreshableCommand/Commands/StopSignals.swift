import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Turns SIGTERM and SIGINT into one call: the first asks to stop, the second ends the process at once.
///
/// Handlers rather than ignored or blocked signals, as the commands that lists run would inherit those.
enum StopSignals {
    // Read and written by the handler, which may only touch what is safe in one: integers and `write`.
    nonisolated(unsafe) private static var count: sig_atomic_t = 0
    nonisolated(unsafe) private static var wakeUp: Int32 = -1
    nonisolated(unsafe) private static var source: (any DispatchSourceRead)?

    /// Calls `stop` on a thread of its own at the first signal. To be called once in a process.
    static func onFirst(_ stop: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "Cannot make a pipe for signals: \(String(cString: strerror(errno))).")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp = ends[1]
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler {
            source.cancel()
            stop()
        }
        source.resume()
        self.source = source
        signal(SIGTERM, handle)
        signal(SIGINT, handle)
    }

    private static let handle: @convention(c) (Int32) -> Void = { number in
        count += 1
        guard count == 1 else { _exit(128 + number) }
        var byte: UInt8 = 0
        _ = write(wakeUp, &byte, 1)
    }
}
