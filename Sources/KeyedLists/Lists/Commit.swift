/// One revision of a list: the changes for its watchers and for the store.
///
/// A store writes all of it in one transaction: it puts `rows` in place by key, deleting any tombstone of such a key;
/// deletes the rows of `tombstones` and keeps those; then deletes every tombstone whose revision is `floor` or less.
public struct Commit: Hashable, Sendable {
    /// What leads from the revision before to this one.
    public var patch: Patch
    /// How many rows were touched.
    public var changes: ChangeCounts
    /// The rows of `patch.set`, whole, in the same order.
    public var rows: [PlacedRow]
    /// The tombstones of `patch.remove`, in the same order.
    public var tombstones: [Tombstone]
    /// The oldest revision that the list still makes patches from.
    public var floor: Revision
    /// Where the rows were before, of `rows` and then of `tombstones`; `nil`: nowhere.
    public var formerPositions: [Position?]

    /// Makes a commit.
    public init(
        patch: Patch, changes: ChangeCounts, rows: [PlacedRow], tombstones: [Tombstone], floor: Revision,
        formerPositions: [Position?]
    ) {
        self.formerPositions = formerPositions
        self.patch = patch
        self.changes = changes
        self.rows = rows
        self.tombstones = tombstones
        self.floor = floor
    }

    /// The revision that this commit made.
    public var revision: Revision { patch.revision }
}

/// The numbers of rows that a commit, or a whole run, inserted, changed, moved and removed.
///
/// A row that was changed and moved counts in both. Rows whose position made room for others are not counted at all.
public struct ChangeCounts: Hashable, Sendable {
    /// Rows that were not there before.
    public var inserted: Int
    /// Rows whose fields are different.
    public var changed: Int
    /// Rows that stand elsewhere among the others.
    public var moved: Int
    /// Removed rows.
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
