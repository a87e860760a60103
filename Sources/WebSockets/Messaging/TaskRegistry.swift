import Locking

/// The tasks of a server: of its sockets, and of the requests that it answers. From any thread.
final class TaskRegistry: Sendable {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastID: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Begins a task.
    ///
    /// - Returns: its number, by which it can be cancelled.
    @discardableResult func add(_ body: @escaping @Sendable () async -> Void) -> UInt64 {
        // Under the lock, so that it can't be over before it is known.
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            state.tasks[id] = Task { [self] in
                await body()
                ended(id)
            }
            return id
        }
    }

    /// Harmless for one that has ended.
    func cancel(_ id: UInt64) { state.withLock { $0.tasks[id] }?.cancel() }

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

    /// Waits for the tasks' end; cancels those that have not ended when `grace` is over.
    ///
    /// - Parameter loop: whose timer it takes; it runs.
    func windUp(grace: Duration, on loop: ServiceLoop) async {
        loop.post { [weak self] in
            _ = loop.schedule(after: grace) { [weak self] in self?.cancelAll() }
        }
        await allEnded()
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
