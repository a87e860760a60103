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
    /// How many rows come before it.
    public private(set) var first = 0
    /// How many rows it has.
    public private(set) var count = 0
    /// How many rows the list has.
    public private(set) var total = 0

    /// Lays a window on a list; nil where it is around a row that is not there.
    public init?(_ window: Window, of list: KeyedList) {
        guard let range = list.range(of: window) else { return nil }
        switch window {
        case .first(0, let count): (kind, size) = (.beginning, count)
        case .first(_, let count): (kind, size) = (.midst, count)
        case .around(_, let before, let after): (kind, size) = (.midst, before + 1 + after)
        case .last(let count): (kind, size) = (.end, count)
        }
        lay(over: range, of: list)
    }

    /// The indexes of its rows.
    public var range: Range<Int> { first..<first + count }

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
            let revision = commit.commit.revision
            let entering = list.rows(in: range).filter { row in
                row.revision < revision && before?.contains(row.position) != true
            }
            set += entering.map { Patch.Change(key: $0.key, position: $0.position, fields: $0.fields) }
            set.sort { $0.position < $1.position }
            remove += Self.untouched(in: before, outside: after, of: list, before: revision)
        }
        return Patch(
            from: commit.commit.patch.from, revision: commit.commit.revision, set: set, remove: remove, count: count)
    }

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
        let first = min(first, max(0, list.count - size))
        return first..<min(first + size, list.count)
    }

    private mutating func lay(over range: Range<Int>, of list: KeyedList) {
        (first, count, total) = (range.lowerBound, range.count, list.count)
        guard let last = range.last, let top = list.row(at: range.lowerBound), let bottom = list.row(at: last) else {
            return edges = nil
        }
        edges = Edges(first: top.key, last: bottom.key, positions: top.position...bottom.position)
    }

    /// The rows between some positions and not between others, that this revision has not touched.
    private static func untouched(
        in before: ClosedRange<Position>?, outside after: ClosedRange<Position>?, of list: KeyedList,
        before revision: Revision
    ) -> [Key] {
        guard let before else { return [] }
        let range = list.count(before: before.lowerBound)..<list.count(before: before.upperBound + 1)
        return list.rows(in: range).filter { row in
            row.revision < revision && after?.contains(row.position) != true
        }.map(\.key)
    }
}

/// A commit, and where the rows that it touched were and are: made once for all windows.
public struct PlacedCommit: Sendable {
    let commit: Commit
    /// The rows and tombstones that were somewhere before, by where that was.
    private let former: [(position: Position, number: Int)]

    /// Makes one of a commit.
    public init(_ commit: Commit) {
        self.commit = commit
        former = commit.formerPositions.enumerated().compactMap { number, position in position.map { ($0, number) } }
            .sorted { $0.position < $1.position }
    }

    /// What it sets between some positions, and what it takes from between others: found in O(log n), and a step for each.
    func touched(
        before: ClosedRange<Position>?, after: ClosedRange<Position>?
    ) -> (set: [Patch.Change], remove: [Key]) {
        let rows = commit.rows
        var set: [Patch.Change] = []
        for number in Self.numbers(rows, in: after, by: \.position) {
            var change = commit.patch.set[number]
            let wasThere = commit.formerPositions[number].flatMap { before?.contains($0) } ?? false
            if !wasThere { change.fields = rows[number].fields }
            set.append(change)
        }
        let remove = Self.numbers(former, in: before, by: \.position).compactMap { place -> Key? in
            let number = former[place].number
            guard number < rows.count else { return commit.tombstones[number - rows.count].key }
            return after?.contains(rows[number].position) == true ? nil : rows[number].key
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
