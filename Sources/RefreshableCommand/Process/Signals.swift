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

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// SIGHUP: somebody wants settings read again; or the terminal that the process was started in is gone, and then it is to
/// stop, as no one could stop it from there any more.
enum HangupSignal {
    // Read by the handler, which may only touch what is safe in one: an integer and `write`.
    nonisolated(unsafe) private static var wakeUp: Int32 = -1
    nonisolated(unsafe) private static var source: (any DispatchSourceRead)?

    /// An element for each time it comes. To be called once in a process.
    ///
    /// - Parameter whenGone: called instead when the terminal is gone.
    static func asks(whenGone: @escaping @Sendable () -> Void) -> AsyncStream<Void> {
        let hadTerminal = isatty(STDERR_FILENO) == 1
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "Cannot make a pipe for signals: \(String(cString: strerror(errno))).")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler never waits: what does not fit says nothing that the rest did not say.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        wakeUp = ends[1]
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler { [end = ends[0]] in
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = read(end, &bytes, bytes.count)
            if hadTerminal, isatty(STDERR_FILENO) == 0 { whenGone() } else { continuation.yield() }
        }
        source.resume()
        self.source = source
        signal(SIGHUP, handle)
        return stream
    }

    private static let handle: @convention(c) (Int32) -> Void = { _ in
        var byte: UInt8 = 0
        _ = write(wakeUp, &byte, 1)
    }
}
