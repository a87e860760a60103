import Foundation
import ListStorage

/// Lets one thread at a time write, in the order in which they came, for as long as each cares to wait.
final class FairLock: @unchecked Sendable {
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var isTaken = false
    private var waiting: [Int] = []
    private var tickets = 0

    /// Takes the gate; false if it was not free in time.
    ///
    /// - Parameter limit: in seconds.
    func enter(within limit: TimeInterval) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if !isTaken, waiting.isEmpty {
            isTaken = true
            return true
        }
        tickets += 1
        let ticket = tickets
        waiting.append(ticket)
        defer { waiting.removeAll { $0 == ticket } }
        let end = Date(timeIntervalSinceNow: limit)
        while isTaken || waiting.first != ticket {
            guard condition.wait(until: end) else {
                // Whoever is behind may be the first now.
                condition.broadcast()
                return false
            }
        }
        isTaken = true
        return true
    }

    /// How many wait.
    var waitingCount: Int { condition.withLock { waiting.count } }

    /// Lets the next one in.
    func leave() {
        condition.lock()
        defer { condition.unlock() }
        isTaken = false
        if !waiting.isEmpty { condition.broadcast() }
    }
}
