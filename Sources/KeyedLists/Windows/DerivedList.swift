/// Which rows of a list somebody wants, and in which order.
public protocol RowArrangement: Sendable {
    /// By what a row with these fields is sorted: rows are in the order of these bytes, and those of the same bytes as in their list.
    /// `nil`: it is not wanted.
    func sortKey(of fields: Fields) -> [UInt8]?
    /// Whether it wants a row with these fields: whether there is a sort key.
    func wants(_ fields: Fields) -> Bool
}

extension RowArrangement {
    /// Makes a sort key for nothing: whoever can tell without has a method of its own.
    public func wants(_ fields: Fields) -> Bool { sortKey(of: fields) != nil }
}

/// The rows of a list that somebody wants, in their order: a list of its own, which follows the other commit by commit.
///
///     list        a b c d e f g h        at revision 418
///     derived         h   b   e          revisions and positions of its own
///
/// It is made in steps, so that a long list answers others between them. Fields are shared with the list, not copied.
public struct DerivedList<Arrangement: RowArrangement>: Sendable {
    /// Its rows. They have no history.
    public private(set) var rows = KeyedList()
    /// Whether the whole list was gone through.
    public private(set) var isWhole = false
    private let arrangement: Arrangement
    /// By slot of `rows`; those of slots without a row mean nothing.
    private var places: [SortedPlace] = []
    /// The position of the last row that was gone through.
    private var scanned: Position = 0
    /// Rows that are sorted, and placed at once when all have been found: one by one, a place in the midst costs more.
    private var unsorted: [Key: (fields: Fields, place: SortedPlace)] = [:]

    /// The rows of an empty list.
    public init(_ arrangement: Arrangement) { self.arrangement = arrangement }

    /// To take in a row takes as long as to look at so many.
    private static var weightOfWanted: Int { 10 }

    /// Goes through so many more rows of the list, or fewer that take as long.
    public mutating func scan(_ list: KeyedList, atMost count: Int) {
        var next = list.order.slot(at: list.count(before: scanned + 1))
        var (rest, wanted): (Int, [PlacedRow]) = (count, [])
        while rest > 0, let slot = next {
            let isWanted = arrangement.wants(list.slots[slot].row.fields)
            if isWanted { wanted.append(list.slots[slot].row) }
            rest -= isWanted ? Self.weightOfWanted : 1
            scanned = list.slots[slot].row.position
            next = list.order.slot(after: slot)
        }
        take(wanted.lazy.map { ($0.key, $0) })
        isWhole = next == nil
        if isWhole { sort() }
        _ = settle(at: 0)
    }

    private mutating func sort() {
        let found = unsorted.sorted { $0.value.place < $1.value.place }
        unsorted = [:]
        let slots = found.map { insert(ListRow(key: $0.key, fields: $0.value.fields), at: $0.value.place) }
        if !slots.isEmpty { rows.place(slots, before: nil) }
    }

    private mutating func insert(_ row: ListRow, at place: SortedPlace) -> Int {
        let slot = rows.insert(row)
        while slot >= places.count { places.append(place) }
        places[slot] = place
        return slot
    }

    /// Goes on with the list.
    ///
    /// - Parameters:
    ///   - keys: of the rows that were set, moved or removed, each once.
    ///   - list: as it is now.
    ///   - now: milliseconds since 1970.
    /// - Returns: what that changes here, in revisions of its own; `nil` if nothing.
    public mutating func follow(_ keys: some Sequence<Key>, of list: KeyedList, at now: Int64) -> Commit? {
        take(keys.lazy.map { ($0, list[$0]) })
        return settle(at: now)
    }

    private mutating func settle(at now: Int64) -> Commit? {
        defer { rows.prune(keeping: 0, newerThan: .max) }
        return rows.settle(at: now)
    }

    private mutating func take(_ changes: some Sequence<(Key, PlacedRow?)>) {
        var (unplaced, changed): ([Int], Set<Int>) = ([], [])
        for (key, row) in changes {
            let known = rows.slot(of: key)
            guard let row, let sortKey = arrangement.sortKey(of: row.fields) else {
                if let known { rows.remove(known) }
                unsorted[key] = nil
                continue
            }
            let place = SortedPlace(key: sortKey, position: row.position)
            if !isWhole, !sortKey.isEmpty {
                unsorted[key] = (row.fields, place)
            } else if let known {
                rows.update(known, to: row.fields)
                places[known] = place
                changed.insert(known)
            } else {
                unplaced.append(insert(row.row, at: place))
            }
        }
        unplaced += detachMisplaced(changed)
        unplaced.sort { places[$0] < places[$1] }
        for slot in unplaced { rows.place([slot], before: next(after: places[slot])) }
    }

    /// The first slot that stands after this; `nil` where none does, as for all that is found in the list's order.
    private func next(after place: SortedPlace) -> Int? {
        guard let last = rows.order.last, place < places[last] else { return nil }
        return rows.order.slot(at: rows.order.count { places[$0] < place })
    }

    /// Takes rows from their places that don't stand where they should, of those that have changed. All others are in order.
    private mutating func detachMisplaced(_ changed: Set<Int>) -> [Int] {
        var (changed, misplaced) = (changed, [Int]())
        var unchecked = Array(changed)
        while let slot = unchecked.popLast() {
            guard changed.contains(slot) else { continue }
            let (previous, next) = (rows.order.slot(before: slot), rows.order.slot(after: slot))
            let follows = previous.map { places[$0] < places[slot] } ?? true
            let precedes = next.map { places[slot] < places[$0] } ?? true
            guard !follows || !precedes else { continue }
            changed.remove(slot)
            rows.detach(slot)
            misplaced.append(slot)
            // They stand side by side now.
            unchecked += [previous, next].compactMap(\.self).filter(changed.contains)
        }
        return misplaced
    }
}

/// Where a row is to stand: by its sort key, then by its position in the list.
private struct SortedPlace: Comparable, Sendable {
    let key: [UInt8]
    let position: Position

    static func < (left: SortedPlace, right: SortedPlace) -> Bool {
        guard !left.key.isEmpty || !right.key.isEmpty else { return left.position < right.position }
        return left.key.withUnsafeBytes { mine in
            right.key.withUnsafeBytes { theirs in
                mine.precedes(theirs) || mine.equals(theirs) && left.position < right.position
            }
        }
    }
}
