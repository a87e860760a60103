import Logging

/// The tasks of a server's sockets, one for each: it runs from the opening on, and the socket ends with it. From any thread.
final class SocketTasks: Sendable {
    /// What is done with a socket.
    typealias Body = @Sendable (WebSocket) async throws -> Void

    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let body: Body
    private let logger: Logger
    private let state = Locked(State())

    init(logger: Logger, body: @escaping Body) {
        self.logger = logger
        self.body = body
    }

    /// Begins the task of a socket that was opened.
    func begin(_ socket: WebSocket) {
        // Under the lock, so that it can't be over before it is known.
        state.withLock { state in
            state.tasks[socket.id] = Task { [self] in
                await run(socket)
                ended(socket.id)
            }
        }
    }

    /// Has those that still run notice that they are to end.
    func cancelAll() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Returns when none runs.
    func allEnded() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.tasks.isEmpty { state.waiters.append(continuation) }
                return state.tasks.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    private func run(_ socket: WebSocket) async {
        do {
            try await body(socket)
            socket.requestClose(1000)
        } catch is CancellationError {
            socket.requestClose(1001)
        } catch SocketError.closed {
            // The peer has left while it was sent to: what its messages' end says, too.
            socket.requestClose(1000)
        } catch {
            logger.error("A socket ended by an error.", metadata: ["error": "\(error)", "socket": "\(socket.id)"])
            socket.requestClose(1011)
        }
    }

    private func ended(_ id: UInt64) {
        let waiters = state.withLock { state in
            state.tasks[id] = nil
            guard state.tasks.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
