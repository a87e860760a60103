/// A list of rows by key, with the history that its watchers need: what changed since any of its revisions.
///
/// A watcher is a place in this history. First paint, live updates, slow clients and reconnects are all
/// `patch(since:)`, with another revision each.
///
///     index     hash of a key → slot
///     slots     [ row | tombstone | row | row | … ]
///     order     the rows, as they stand, and how many come before each
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
    /// The oldest revision that a patch can begin at: tombstones of it and of earlier ones are pruned.
    public internal(set) var floor: Revision = 0

    var slots: [Slot] = []
    var freeSlots: [Int] = []
    var index = KeyIndex()
    var order = CountedSlots()
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

extension KeyedList {
    /// The row at the end; `nil` if there is none.
    public var last: PlacedRow? { order.last.map { slots[$0].row } }

    /// The key of the row that comes directly before the row of this key; `nil` if that is the first, or is not there.
    public func key(before key: Key) -> Key? {
        slot(of: key).flatMap { order.slot(before: $0) }.map { slots[$0].row.key }
    }

    /// How many rows come before the row of this key, in O(log n); `nil` if there is none.
    public func index(of key: Key) -> Int? { slot(of: key).map { order.index(of: $0) } }

    /// The row at an index, in O(log n); `nil` where there is none.
    public func row(at index: Int) -> PlacedRow? { order.slot(at: index).map { slots[$0].row } }

    /// How many rows stand before a position, in O(log n).
    func count(before position: Position) -> Int { order.count { slots[$0].row.position < position } }

    /// Where the rows of some keys stand; those that are not there are left out.
    public func positions(of keys: some Sequence<Key>) -> [Key: Position] {
        var positions: [Key: Position] = [:]
        for key in keys { positions[key] = self[key]?.position }
        return positions
    }

    /// The rows from an index on, in O(log n) and a step each; fewer where the list ends before.
    public func rows(in range: Range<Int>) -> [PlacedRow] {
        var next = order.slot(at: range.lowerBound)
        var rows: [PlacedRow] = []
        while let slot = next, rows.count < range.count {
            rows.append(slots[slot].row)
            next = order.slot(after: slot)
        }
        return rows
    }

    /// The rows of a list in order of position. Going through them costs a step each.
    public struct Rows: Sequence, Sendable {
        private let slots: [Slot]
        private let order: CountedSlots
        private let count: Int

        init(_ list: KeyedList) {
            slots = list.slots
            order = list.order
            count = list.count
        }

        /// How many rows there are.
        public var underestimatedCount: Int { count }

        /// An iterator that begins at the first row.
        public func makeIterator() -> Iterator {
            Iterator(slots: slots, order: order)
        }

        /// Goes from row to row.
        public struct Iterator: IteratorProtocol {
            let slots: [Slot]
            let order: CountedSlots
            var last: Int?
            var isAtEnd = false

            /// The next row; `nil` after the last.
            public mutating func next() -> PlacedRow? {
                guard !isAtEnd else { return nil }
                last = order.slot(after: last)
                guard let last else {
                    isAtEnd = true
                    return nil
                }
                return slots[last].row
            }
        }
    }
}

extension KeyedList {
    /// A check of the rows in their order, by which two who should have the same rows can tell: the CRC-32 of ISO 3309 (that
    /// of zlib, gzip and PNG) over each row's key, a tab, its fields as RFC 8785 writes them, and a line feed.
    ///
    /// Positions are not in it: they may differ where the order is the same. Costs a look at every byte of the list.
    public var digest: UInt32 {
        var check = CRC32()
        var next = order.first
        while let slot = next {
            check.update(slots[slot].row)
            next = order.slot(after: slot)
        }
        return check.value
    }
}

extension Sequence<PlacedRow> {
    /// The same check of some rows of a list.
    public var digest: UInt32 {
        var check = CRC32()
        for row in self { check.update(row) }
        return check.value
    }
}

extension CRC32 {
    @inline(__always)
    fileprivate mutating func update(_ row: PlacedRow) {
        row.key.withBytes { update($0) }
        update(UInt8(ascii: "\t"))
        row.fields.bytes.withUnsafeBytes { update($0) }
        update(UInt8(ascii: "\n"))
    }
}
