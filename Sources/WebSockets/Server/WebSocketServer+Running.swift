/// The life of a server whose sockets have tasks.
extension WebSocketServer {
    /// Serves until the task that runs it is cancelled. Then it accepts no more, closes all sockets with 1001 after what waits
    /// to be sent, lets requests under way be answered, and returns when the sockets' tasks have ended. What takes longer than
    /// `Configuration.gracePeriod` is cut, and its task cancelled. Once.
    ///
    /// - Throws: `SocketError` where it can't listen, with what to do.
    public func run() async throws {
        try begin()
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        // It ends when the task is cancelled.
        for await _ in never {}
        continuation.finish()
        resolvePort(.failure(.notRunning(reason: "it has ended.")))
        await stop(code: 1001, grace: configuration.gracePeriod)
    }

    /// The port on which it listens: waits until it does, if `run` has not come so far.
    ///
    /// - Throws: what `run` has thrown; `SocketError.notRunning` once it has ended; `CancellationError`.
    public var port: Int {
        get async throws {
            let id = portWaiters.withLock { $0.nextID() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let result: Result<Int, any Error>? = portWaiters.withLock { waiters in
                        if let port = waiters.port { return port.mapError { $0 } }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        waiters.continuations[id] = continuation
                        return nil
                    }
                    if let result { continuation.resume(with: result) }
                }
            } onCancel: {
                portWaiters.withLock { $0.continuations.removeValue(forKey: id) }?.resume(throwing: CancellationError())
            }
        }
    }

    private func resolvePort(_ port: Result<Int, SocketError>) {
        let waiting = portWaiters.withLock { waiters in
            waiters.port = port
            defer { waiters.continuations = [:] }
            return waiters.continuations.values
        }
        for continuation in waiting { continuation.resume(with: port.mapError { $0 }) }
    }

    /// Starts, and tells those who wait for the port. To call it twice is an error here.
    private func begin() throws(SocketError) {
        let isFirst = portWaiters.withLock { waiters in
            defer { waiters.hasBegun = true }
            return !waiters.hasBegun
        }
        guard isFirst else { throw .notRunning(reason: "run() was called before. Make another server.") }
        do {
            try start()
        } catch {
            resolvePort(.failure(error))
            throw error
        }
        resolvePort(.success(listeningPort))
    }
}

/// Who waits for a server to listen.
struct PortWaiters {
    var hasBegun = false
    /// nil: that is not known yet.
    var port: Result<Int, SocketError>?
    var continuations: [UInt64: CheckedContinuation<Int, any Error>] = [:]
    private var lastID: UInt64 = 0

    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }
}
