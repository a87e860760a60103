import WebSockets

/// Waits until the task is cancelled.
final class StopSignal: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case stopped
    }

    private let state = Locked(State.idle)

    /// Returns when the calling task is cancelled, or was.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStopped = state.withLock { state in
                    if case .stopped = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isStopped { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state = .stopped }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume()
        }
    }
}
