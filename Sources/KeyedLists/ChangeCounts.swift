/// How many rows a commit, or a whole run, changed, in the words that a person is told.
///
/// A row that was changed and moved counts in both. Rows whose position made room for others are not counted at all.
public struct ChangeCounts: Hashable, Sendable {
    /// Rows that were not there before.
    public var inserted: Int
    /// Rows whose fields are different.
    public var changed: Int
    /// Rows that stand elsewhere among the others.
    public var moved: Int
    /// Rows that are gone.
    public var removed: Int

    /// Makes a count; by default of nothing.
    public init(inserted: Int = 0, changed: Int = 0, moved: Int = 0, removed: Int = 0) {
        self.inserted = inserted
        self.changed = changed
        self.moved = moved
        self.removed = removed
    }

    /// Whether nothing was changed.
    public var isEmpty: Bool { self == ChangeCounts() }

    /// The changes of two commits after each other, where a row touched by both counts twice.
    public static func + (left: ChangeCounts, right: ChangeCounts) -> ChangeCounts {
        ChangeCounts(
            inserted: left.inserted + right.inserted, changed: left.changed + right.changed,
            moved: left.moved + right.moved, removed: left.removed + right.removed)
    }

    /// Adds the changes of a later commit.
    public static func += (left: inout ChangeCounts, right: ChangeCounts) {
        left = left + right
    }
}
