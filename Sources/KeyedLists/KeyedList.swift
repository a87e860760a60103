/// A list of rows by key, with the history that its watchers need: what changed since any of its revisions.
///
/// A watcher is a place in this history. First paint, live updates, slow clients and reconnects are all
/// `patch(since:)`, with another revision each.
///
///     index     hash of a key → slot
///     slots     [ row | tombstone | row | row | … ]
///     order     the rows, as they stand
///     recency   rows and tombstones, newest change first: patch(since:) reads its beginning
///     graves    the tombstones, oldest first: prune reads its beginning
///
/// A removed row keeps its slot until its tombstone is pruned, so a key is a row or a tombstone and never both.
///
/// A value, without a lock: the task that serves a list owns it. Mutating a copy copies everything, also while an iterator
/// of `rows` is alive. `commit`, `replace` and `stream` each make one revision or, if they change nothing, none.
public struct KeyedList: Sendable {
    /// The newest revision; 0 for an empty list before its first commit.
    public internal(set) var revision: Revision = 0
    /// The oldest revision that a patch can begin at: tombstones of it and of earlier ones are gone.
    public internal(set) var floor: Revision = 0

    var slots: [Slot] = []
    var freeSlots: [Int] = []
    var index = KeyIndex()
    var order = LinkedSlots()
    var recency = LinkedSlots()
    var tombstoneOrder = LinkedSlots()
    /// The slots that the commit being made has touched; empty between commits.
    var journal: [JournalEntry] = []

    /// An empty list at revision 0.
    public init() {}

    /// How many rows there are.
    public var count: Int { order.count }

    /// Whether there are no rows.
    public var isEmpty: Bool { count == 0 }

    /// How many removed rows are remembered.
    public var tombstoneCount: Int { tombstoneOrder.count }

    /// The rows in order.
    public var rows: Rows { Rows(self) }

    /// The row of a key; `nil` if there is none.
    public subscript(key: Key) -> PlacedRow? {
        slot(of: key).map { slots[$0].row }
    }

    /// The slot of the row or tombstone with this key; `nil` if there is neither.
    @inline(__always)
    func anySlot(of key: Key, _ hash: KeyIndex.Hash) -> Int? {
        index.number(hash) { slots[$0].row.key == key }
    }

    /// The slot of the row or tombstone with this key; `nil` if there is neither.
    func anySlot(of key: Key) -> Int? { anySlot(of: key, KeyIndex.hash(of: key)) }

    /// The slot of the row with this key; `nil` if there is none, or only its tombstone.
    func slot(of key: Key) -> Int? {
        guard let slot = anySlot(of: key), slots[slot].life == .row else { return nil }
        return slot
    }
}
