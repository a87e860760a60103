/// A window of a list as somebody has it, which goes on with the list: to whoever has it, a list of its own.
///
///     list    a b c d e f g h i j        first 3, total 10
///     window        d e f g              from d to g, whatever comes and goes elsewhere
///
/// A window at the beginning or the end stays there. One in the midst is kept by its first and its last row: what comes between
/// them comes to it, and what happens above moves nothing but `first`. Where an edge is removed, its neighbour is the edge; where
/// one is moved far away, or more than twice as many rows are between them as were asked for, the window is laid anew about
/// where it was.
///
/// Whoever has the rows of a window and applies each patch in turn has the window's rows, as with a list and its patches.
public struct WindowView: Hashable, Sendable {
    private enum Kind: Hashable {
        case beginning, midst, end
    }

    private struct Edges: Hashable {
        var first: Key
        var last: Key
        var positions: ClosedRange<Position>
    }

    private var kind: Kind
    /// How many rows were asked for.
    private var size: Int
    /// Nil where it has no rows.
    private var edges: Edges?
    /// The index at which it is laid anew: where it was when it had rows, or was asked for.
    private var wantedFirst: Int
    /// Where it lies.
    public private(set) var place = WindowPlace(first: 0, total: 0)
    /// How many rows it has.
    public private(set) var count = 0

    /// Lays a window on a list; nil where it is around a row that is not there.
    public init?(_ window: Window, of list: KeyedList) {
        guard let range = list.range(of: window) else { return nil }
        switch window {
        case .first(0, let count): (kind, size, wantedFirst) = (.beginning, count, 0)
        case .first(let first, let count): (kind, size, wantedFirst) = (.midst, count, first)
        case .around(_, let before, let after, _):
            (kind, size, wantedFirst) = (.midst, before + 1 + after, range.lowerBound)
        case .last(let count): (kind, size, wantedFirst) = (.end, count, range.lowerBound)
        }
        lay(over: range, of: list)
    }

    /// The indexes of its rows.
    public var range: Range<Int> { place.first..<place.first + count }

    /// Lets it go on with a commit.
    ///
    /// - Parameters:
    ///   - list: as the commit has left it.
    /// - Returns: what leads from its rows before the commit to those after it; it may be nothing.
    public mutating func follow(_ commit: PlacedCommit, in list: KeyedList) -> Patch {
        let before = edges?.positions
        lay(over: range(in: list), of: list)
        let after = edges?.positions
        var (set, remove) = commit.touched(before: before, after: after)
        if before != after {
            let entering = list.rows(in: range).filter { row in
                row.revision <= commit.patch.from && before?.contains(row.position) != true
            }
            set += entering.map { Patch.Change(key: $0.key, position: $0.position, fields: $0.fields) }
            set.sort { $0.position < $1.position }
            remove += Self.untouched(in: before, outside: after, of: list, since: commit.patch.from)
        }
        return Patch(
            from: commit.patch.from, revision: commit.patch.revision, set: set, remove: remove, count: count)
    }

    /// Lays it on a list that has changed in ways that nobody knows.
    public mutating func reposition(in list: KeyedList) { lay(over: range(in: list), of: list) }

    // MARK: Where it lies

    private func range(in list: KeyedList) -> Range<Int> {
        switch kind {
        case .beginning: return 0..<min(size, list.count)
        case .end: return max(0, list.count - size)..<list.count
        case .midst: break
        }
        guard let edges else { return anew(in: list) }
        let (lower, upper) = (edges.positions.lowerBound, edges.positions.upperBound)
        let byPositions = (list.count(before: lower), list.count(before: upper + 1))
        let byKeys = (
            list.index(of: edges.first) ?? byPositions.0, list.index(of: edges.last).map { $0 + 1 } ?? byPositions.1
        )
        let fitting = [byKeys, byPositions].first { 1...max(1, 2 * size) ~= $0.1 - $0.0 }
        return fitting.map { $0.0..<$0.1 } ?? anew(in: list)
    }

    private func anew(in list: KeyedList) -> Range<Int> {
        let first = min(wantedFirst, max(0, list.count - size))
        return first..<min(first + size, list.count)
    }

    private mutating func lay(over range: Range<Int>, of list: KeyedList) {
        (place, count) = (WindowPlace(first: range.lowerBound, total: list.count), range.count)
        guard let last = range.last, let top = list.row(at: range.lowerBound), let bottom = list.row(at: last) else {
            return edges = nil
        }
        wantedFirst = range.lowerBound
        edges = Edges(first: top.key, last: bottom.key, positions: top.position...bottom.position)
    }

    /// The rows between some positions and not between others, that nothing has touched since a revision.
    private static func untouched(
        in before: ClosedRange<Position>?, outside after: ClosedRange<Position>?, of list: KeyedList,
        since revision: Revision
    ) -> [Key] {
        guard let before else { return [] }
        let range = list.count(before: before.lowerBound)..<list.count(before: before.upperBound + 1)
        return list.rows(in: range).filter { row in
            row.revision <= revision && after?.contains(row.position) != true
        }.map(\.key)
    }
}

/// A change of a list, and where the rows that it touched were and are: made once for all windows.
public struct PlacedCommit: Sendable {
    let patch: Patch
    /// The rows that it sets, whole, in order of position.
    private let rows: [PlacedRow]
    /// Where they were. There may be more, of those that it removes.
    private let formerPositions: [Position?]
    /// Those that were somewhere before, by where that was, and where they are; `nil`: nowhere.
    private let former: [(former: Position, key: Key, position: Position?)]

    /// Makes one of a commit.
    public init(_ commit: Commit) {
        self.init(
            commit.patch, rows: commit.rows, from: commit.formerPositions,
            removed: zip(commit.tombstones, commit.formerPositions[commit.rows.count...]).map { ($0.key, $1) })
    }

    /// Makes one of a patch that was taken in.
    ///
    /// - Parameters:
    ///   - list: the list afterwards.
    ///   - positions: where the rows of the patch were before.
    public init(_ patch: Patch, in list: KeyedList, from positions: [Key: Position]) {
        self.init(
            patch, rows: patch.set.compactMap { list[$0.key] }, from: patch.set.map { positions[$0.key] },
            removed: patch.remove.map { ($0, positions[$0]) })
    }

    private init(
        _ patch: Patch, rows: [PlacedRow], from positions: [Position?], removed: [(key: Key, former: Position?)]
    ) {
        self.patch = patch
        self.rows = rows
        formerPositions = positions
        var former: [(Position, Key, Position?)] = []
        // By number: of a million rows that are new, none is looked at.
        for number in rows.indices {
            if let position = positions[number] { former.append((position, rows[number].key, rows[number].position)) }
        }
        former += removed.compactMap { key, position in position.map { ($0, key, nil) } }
        self.former = former.sorted { $0.0 < $1.0 }
    }

    /// What it sets between some positions, and what it takes from between others: found in O(log n), and a step for each.
    func touched(
        before: ClosedRange<Position>?, after: ClosedRange<Position>?
    ) -> (set: [Patch.Change], remove: [Key]) {
        var set: [Patch.Change] = []
        for number in Self.numbers(rows, in: after, by: \.position) {
            var change = patch.set[number]
            let wasThere = formerPositions[number].flatMap { before?.contains($0) } ?? false
            if !wasThere { change.fields = rows[number].fields }
            set.append(change)
        }
        let remove = Self.numbers(former, in: before, by: \.former).compactMap { number -> Key? in
            let isThere = former[number].position.flatMap { after?.contains($0) } ?? false
            return isThere ? nil : former[number].key
        }
        return (set, remove)
    }

    /// The numbers of those whose positions, which increase, are in a range.
    private static func numbers<Element>(
        _ elements: [Element], in range: ClosedRange<Position>?, by position: (Element) -> Position
    ) -> Range<Int> {
        guard let range else { return 0..<0 }
        func partition(_ isBefore: (Position) -> Bool) -> Int {
            var (low, high) = (0, elements.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(position(elements[middle])) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return partition { $0 < range.lowerBound }..<partition { $0 <= range.upperBound }
    }
}
