/// The record that a row was removed, so that clients that still show it can be patched.
public struct Tombstone: Hashable, Sendable {
    /// The key of the row.
    public var key: Key
    /// The revision at which the row was removed.
    public var revision: Revision
    /// When it was removed, in milliseconds since 1970: what pruning by age goes by.
    public var removedAt: Int64

    /// Makes a tombstone; nothing is checked here, but when a list is restored from it.
    public init(key: Key, revision: Revision, removedAt: Int64) {
        self.key = key
        self.revision = revision
        self.removedAt = removedAt
    }
}

extension KeyedList {
    /// Forgets old tombstones, from the oldest on, until no more than `count` are left and none was made at or before
    /// `time`. Watchers of revisions before them then need a snapshot: the floor is raised.
    ///
    /// A store learns of it by the floor of the next commit. No revision is made.
    ///
    /// - Parameter time: Milliseconds since 1970.
    public mutating func prune(keeping count: Int, newerThan time: Int64) {
        var remaining = tombstoneCount
        while let slot = tombstoneOrder.first {
            let tombstone = slots[slot].tombstone
            // Those of the same commit are no use once one of them is gone.
            guard remaining > count || tombstone.removedAt <= time || tombstone.revision <= floor else { return }
            floor = max(floor, tombstone.revision)
            tombstoneOrder.remove(slot)
            recency.remove(slot)
            release(slot)
            remaining -= 1
        }
    }
}
