public import KeyedLists

/// The first rows of a long list: what a store gives out before it has read all of them.
public struct ListHead: Sendable {
    /// The epoch of the list's history.
    public var epoch: Epoch
    /// The newest revision.
    public var revision: Revision
    /// The first rows, in order.
    public var rows: [PlacedRow]
    /// How many rows the list has.
    public var count: Int
    /// Other stored facts.
    public var facts: StoredFacts

    /// Makes a head.
    public init(epoch: Epoch, revision: Revision, rows: [PlacedRow], count: Int, facts: StoredFacts) {
        self.epoch = epoch
        self.revision = revision
        self.rows = rows
        self.count = count
        self.facts = facts
    }
}

/// Which rows a long list begins with. A store finds rows by their keys, and so these without a look at all others.
public struct HeadKeys: Hashable, Sendable {
    /// How many are named: as many as somebody gets who says no window.
    public static let size = 200
    /// Of a list of no more rows than these none are named: it is read in some 50 ms.
    public static let threshold = 10_000

    /// The keys, in the order of the rows; none of a list that is not long.
    public var keys: [Key]
    /// How many rows the list has; 0 where it is not long.
    public var count: Int

    /// Makes keys as they were kept.
    public init(keys: [Key], count: Int) {
        self.keys = keys
        self.count = count
    }

    /// Those of a list, in a step for each.
    public init(of rows: KeyedList) {
        let isLong = rows.count > Self.threshold
        keys = isLong ? rows.rows(in: 0..<Self.size).map(\.key) : []
        count = isLong ? rows.count : 0
    }
}
