import DequeModule

/// The changes of a list that wait for their turn: for the store, which another holds, or for a change before them.
///
/// Pure: the list does them.
struct ChangeQueue {
    /// Does a change, and tells who asked for it.
    ///
    /// - Parameter isLast: Whether it is not tried again, so that whoever waits hears that the store is held.
    /// - Returns: False where the store is held, and nothing was done.
    typealias Attempt = (_ isLast: Bool) -> Bool

    struct Entry {
        /// Since when it has waited for the store (uptime).
        var since: Int64
        let attempt: Attempt
    }

    /// How long a change waits for the store, in milliseconds; then it fails.
    static let limit: Int64 = 5000
    /// The longest pause between two attempts, in milliseconds.
    private static let longestPause: Int64 = 50

    private var entries: Deque<Entry> = []
    private var pause: Int64 = 1
    /// Whether a change is being made elsewhere, and all others wait for its end.
    var isHeld = false
    /// Whether the list will try again by itself.
    var isRetryScheduled = false

    /// Whether a change may be made at once.
    var isFree: Bool { entries.isEmpty && !isHeld }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ attempt: @escaping Attempt, now: Int64) {
        entries.append(Entry(since: now, attempt: attempt))
    }

    /// Has a change go before all others.
    mutating func prepend(_ attempt: @escaping Attempt, now: Int64) {
        entries.prepend(Entry(since: now, attempt: attempt))
    }

    /// Takes the next change; nil where none waits, or all have to.
    mutating func next() -> Entry? { isHeld ? nil : entries.popFirst() }

    /// Puts a change back that could not be made yet.
    mutating func putBack(_ entry: Entry) { entries.prepend(entry) }

    /// What had to wait for a change of the list itself has not waited for the store.
    mutating func restartClocks(now: Int64) {
        for index in entries.indices { entries[index].since = now }
    }

    /// A change was made: the store is free again.
    mutating func noteProgress() { pause = 1 }

    /// How long to wait before the next attempt, in milliseconds: ever longer, as SQLite does it.
    mutating func nextPause() -> Int64 {
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }
}
