public import KeyedLists

/// A list as a store gives it out.
public struct StoredList: Sendable {
    /// The epoch of its history.
    public var epoch: Epoch
    /// Whether the epoch was made by an earlier process, so that a client may know revisions of it that were lost: one
    /// that is ahead of us then meets a new epoch. False for a list that is new, and after a renewal.
    public var isRestored: Bool
    /// The rows, tombstones and revision.
    public var list: KeyedList
    /// What is kept besides.
    public var facts: StoredFacts

    /// Makes a list.
    public init(epoch: Epoch, isRestored: Bool, list: KeyedList, facts: StoredFacts) {
        self.epoch = epoch
        self.isRestored = isRestored
        self.list = list
        self.facts = facts
    }
}
