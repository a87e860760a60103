/// One revision of a list: what its watchers are told, and what a store must keep.
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

    /// Makes a commit.
    public init(patch: Patch, changes: ChangeCounts, rows: [PlacedRow], tombstones: [Tombstone], floor: Revision) {
        self.patch = patch
        self.changes = changes
        self.rows = rows
        self.tombstones = tombstones
        self.floor = floor
    }

    /// The revision that this commit made.
    public var revision: Revision { patch.revision }
}
