/// Which rows of a list somebody wants, and in which order.
public protocol RowArrangement: Sendable {
    /// What rows are ordered by.
    associatedtype Rank: Comparable & Sendable

    /// Where a row with these fields stands; among those of the same rank, rows stand as in their list. `nil`: it is not wanted.
    func rank(of fields: Fields) -> Rank?
}

/// The rows of a list that somebody wants, in their order: a list of its own, which follows the other commit by commit.
///
///     list        a b c d e f g h        at revision 418
///     derived         h   b   e          revisions and positions of its own
///
/// It is made in steps, so that a long list answers others between them. Fields are shared with the list, not copied.
public struct DerivedList<Arrangement: RowArrangement>: Sendable {
    /// Where a row is to stand: by its rank, then by its position in the list.
    private struct Standing: Comparable, Sendable {
        let rank: Arrangement.Rank
        let position: Position

        static func < (left: Standing, right: Standing) -> Bool {
            left.rank < right.rank || left.rank == right.rank && left.position < right.position
        }
    }

    /// Its rows. They have no history.
    public private(set) var rows = KeyedList()
    /// Whether the whole list was gone through.
    public private(set) var isWhole = false
    private let arrangement: Arrangement
    /// By slot of `rows`; those of slots without a row mean nothing.
    private var standings: [Standing] = []
    /// The position of the last row that was gone through.
    private var scanned: Position = 0

    /// The rows of an empty list.
    public init(_ arrangement: Arrangement) { self.arrangement = arrangement }

    /// Goes through so many more rows of the list.
    public mutating func scan(_ list: KeyedList, atMost count: Int) {
        let first = list.count(before: scanned + 1)
        let next = list.rows(in: first..<min(first + count, list.count))
        take(next.lazy.map { ($0.key, $0) })
        _ = settle(at: 0)
        isWhole = first + next.count >= list.count
        scanned = next.last?.position ?? scanned
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
            guard let row, let rank = arrangement.rank(of: row.fields) else {
                if let known { rows.remove(known) }
                continue
            }
            let standing = Standing(rank: rank, position: row.position)
            if let known {
                rows.update(known, to: row.fields)
                standings[known] = standing
                changed.insert(known)
            } else {
                let slot = rows.insert(row.row)
                while slot >= standings.count { standings.append(standing) }
                standings[slot] = standing
                unplaced.append(slot)
            }
        }
        unplaced += detachMisplaced(changed)
        unplaced.sort { standings[$0] < standings[$1] }
        for slot in unplaced {
            let before = rows.order.count { standings[$0] < standings[slot] }
            rows.place([slot], before: rows.order.slot(at: before))
        }
    }

    /// Takes rows from their places that don't stand where they should, of those that have changed. All others are in order.
    private mutating func detachMisplaced(_ changed: Set<Int>) -> [Int] {
        var (changed, misplaced) = (changed, [Int]())
        var unchecked = Array(changed)
        while let slot = unchecked.popLast() {
            guard changed.contains(slot) else { continue }
            let (previous, next) = (rows.order.slot(before: slot), rows.order.slot(after: slot))
            let follows = previous.map { standings[$0] < standings[slot] } ?? true
            let precedes = next.map { standings[slot] < standings[$0] } ?? true
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
