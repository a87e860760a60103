import KeyedLists

/// Picks the rows that are shown. Pure: rows go in as they come, and out as they are shown.
struct RowPicker {
    private let selection: RowSelection
    private var waiting: [(ranks: [CellRank?], row: Row)] = []
    private var count = 0

    init(_ selection: RowSelection) {
        self.selection = selection
    }

    /// Whether all rows that are shown have come.
    var isFull: Bool { selection.sort.isEmpty && count >= selection.limit ?? .max }

    /// Whether more rows wait than are worth keeping, as no more than the limit are shown.
    var isOverfull: Bool {
        guard let limit = selection.limit else { return false }
        return waiting.count >= 1000 && waiting.count / 2 >= limit
    }

    /// Lets go of the rows that wait and will not be shown.
    ///
    /// - Returns: those.
    mutating func prune() -> [Row] {
        let sorted = waiting.sorted { precedes($0.ranks, $1.ranks) }
        waiting = Array(sorted.prefix(selection.limit ?? .max))
        return sorted.dropFirst(waiting.count).map(\.row)
    }

    /// Whether a row with these cells is shown at all.
    func accepts(_ cell: (Column) throws(SourceError) -> String?) throws(SourceError) -> Bool {
        for comparison in selection.filter {
            guard comparison.isMet(by: try cell(comparison.column)) else { return false }
        }
        return true
    }

    /// The row, if it can be shown at once; nil if it waits for the others, or is one too many.
    mutating func add(
        _ row: Row, _ cell: (Column) throws(SourceError) -> String?
    ) throws(SourceError) -> Row? {
        guard selection.sort.isEmpty else {
            var ranks: [CellRank?] = []
            for order in selection.sort { ranks.append(try cell(order.column).flatMap(Self.rank)) }
            waiting.append((ranks, row))
            return nil
        }
        count += 1
        return count <= selection.limit ?? .max ? row : nil
    }

    /// The rows that waited for the others, in order.
    mutating func finish() -> [Row] {
        defer { waiting = [] }
        // Stable: SE-0372.
        let sorted = waiting.sorted { precedes($0.ranks, $1.ranks) }.map(\.row)
        return Array(sorted.prefix(selection.limit ?? .max))
    }

    private func precedes(_ left: [CellRank?], _ right: [CellRank?]) -> Bool {
        for (order, (left, right)) in zip(selection.sort, zip(left, right)) {
            if let precedes = order.precedes(left, right) { return precedes }
        }
        return false
    }

    private static func rank(_ cell: String) -> CellRank? { cell.isEmpty ? nil : CellRank(cell) }
}
