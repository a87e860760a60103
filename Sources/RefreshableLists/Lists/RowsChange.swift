import KeyedLists
import ListStorage
import WebSockets

/// A change of a list's rows, made when it is its turn.
struct RowsChange: Sendable {
    /// How many rows it looks at or makes.
    var weight: Int
    var apply: @Sendable (inout KeyedList) throws -> Commit?

    /// Makes these all rows of the list, but for those that are to be left alone.
    ///
    /// - Parameter count: how many there are now.
    static func rows(_ rows: [Row], sparing: Set<Key> = [], of count: Int = 0, at now: Moment) -> RowsChange {
        RowsChange(weight: max(rows.count, count)) { try $0.replace(with: rows, sparing: sparing, at: now.date) }
    }
}

/// What came of a heavy change: the rows as they will be, and their commit, which the store has staged.
///
/// A box, so that who takes the rows out of it is their only owner.
final class BackgroundChange: Sendable {
    private let rows: Locked<KeyedList?>
    let outcome: Result<StagedCommit?, any Error>

    /// Makes the change, on the calling thread.
    init(_ change: RowsChange, of rows: KeyedList, named name: String, in store: any ListStore) {
        var rows = rows
        outcome = Result { try change.apply(&rows).map { try store.stage($0, of: name) } }
        self.rows = Locked(rows)
    }

    /// The rows, once.
    func take() -> KeyedList? {
        rows.withLock { rows in
            defer { rows = nil }
            return rows
        }
    }
}
