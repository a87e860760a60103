import Locking

/// The port of a server, for those who wait until it listens.
package final class ListeningPort: Sendable {
    private enum State {
        case awaited([Int: CheckedContinuation<Int, any Error>], next: Int)
        case known(Result<Int, any Error>)
    }

    private let state = Locked(State.awaited([:], next: 0))

    package init() {}

    /// Waits until it is known, and no longer than the task is not cancelled.
    ///
    /// - Throws: why there is none; `CancellationError`.
    package var port: Int {
        get async throws {
            let number = state.withLock { state -> Int in
                guard case .awaited(let waiting, let next) = state else { return 0 }
                state = .awaited(waiting, next: next + 1)
                return next
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait($0, as: number) }
            } onCancel: {
                cancel(number)
            }
        }
    }

    /// The server listens.
    package func succeed(_ port: Int) { end(.success(port)) }

    /// The server does not listen, or no longer.
    package func fail(_ error: any Error) { end(.failure(error)) }

    private func wait(_ continuation: CheckedContinuation<Int, any Error>, as number: Int) {
        let known = state.withLock { state -> Result<Int, any Error>? in
            switch state {
            case .known(let result): return result
            case .awaited(var waiting, let next):
                // The task may have been cancelled before it came to wait.
                guard !Task.isCancelled else { return .failure(CancellationError()) }
                waiting[number] = continuation
                state = .awaited(waiting, next: next)
                return nil
            }
        }
        if let known { continuation.resume(with: known) }
    }

    private func cancel(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            guard case .awaited(var waiting, let next) = state else { return nil }
            defer { state = .awaited(waiting, next: next) }
            return waiting.removeValue(forKey: number)
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func end(_ result: Result<Int, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Int, any Error>] in
            defer { state = .known(result) }
            guard case .awaited(let waiting, _) = state else { return [] }
            return Array(waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
