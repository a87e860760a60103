/// A result that one task waits for, until it comes or the task is cancelled: whoever takes the continuation resumes it, once.
///
/// From any thread.
package final class PendingResult<Value: Sendable>: Sendable {
    private let waiting = Locked<CheckedContinuation<Value, any Error>?>(nil)

    /// Nobody waits so far.
    package init() {}

    /// Whether somebody waits.
    package var isAwaited: Bool { waiting.withLock { $0 != nil } }

    /// Has the task wait, unless it was cancelled before.
    ///
    /// - Returns: whether there is a reason to begin.
    package func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isCancelled = waiting.withLock { waiting in
            // The mark of the task is read under the lock that its handler takes.
            if Task.isCancelled { return true }
            waiting = continuation
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    /// Nil where it was taken before.
    package func take() -> CheckedContinuation<Value, any Error>? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
