import Locking
import ServiceLifecycle

/// The life of a server whose sockets have tasks.
extension WebSocketServer {
    /// Serves until the task that runs it is cancelled, or its service group shuts down. Then it accepts no more, closes all
    /// sockets with 1001 after what waits to be sent, lets requests under way be answered, and returns when the sockets' tasks
    /// have ended. What takes longer than `Configuration.gracePeriod` is cut, and its task cancelled. Once.
    ///
    /// - Throws: `SocketError` where it can't listen, with what to do.
    public func run() async throws {
        try begin()
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        // It ends when the task is cancelled.
        await cancelWhenGracefulShutdown { for await _ in never {} }
        continuation.finish()
        listening.fail(SocketError.notRunning(reason: "it has ended."))
        await stop(code: 1001, grace: configuration.gracePeriod)
    }

    /// The port on which it listens: waits until it does, if `run` has not come so far.
    ///
    /// - Throws: what `run` has thrown; `SocketError.notRunning` once it has ended; `CancellationError`.
    public var port: Int { get async throws { try await listening.port } }

    /// Starts, and tells those who wait for the port. To call it twice is an error here.
    private func begin() throws(SocketError) {
        let isFirst = wasRun.withLock { wasRun in
            defer { wasRun = true }
            return !wasRun
        }
        guard isFirst else { throw .notRunning(reason: "run() was called before. Make another server.") }
        do {
            try start()
        } catch {
            listening.fail(error)
            throw error
        }
        listening.succeed(listeningPort)
    }
}
