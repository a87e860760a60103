import Foundation

/// Has something looked at once a second, on a thread of its own, which whatever is looked at may hold up.
final class StoreMonitor: @unchecked Sendable {
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var isOver = false

    /// Begins; `look` says whether to go on.
    init(every interval: TimeInterval = 1, look: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [weak self] in
            while self?.wait(interval) ?? false, look() {}
        }
    }

    deinit { end() }

    /// No further look begins; one that is under way may still be.
    func end() {
        condition.withLock { isOver = true }
        condition.broadcast()
    }

    /// - Returns: whether it goes on.
    private func wait(_ interval: TimeInterval) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: interval)
        while !isOver, condition.wait(until: end) {}
        return !isOver
    }
}
