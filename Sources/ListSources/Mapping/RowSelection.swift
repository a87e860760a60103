import KeyedLists

/// Which of a source's rows are shown, and in which order. Default: all, in the source's order.
///
/// It goes by what the source reads, not by what rows show: a column need not be a field to be sorted by.
public struct RowSelection: Hashable, Sendable {
    /// What a row has to meet, all of it.
    public var filter: [Comparison]
    /// By what rows are sorted: by the first, alike ones by the second, and so on. Rows then appear when all are read.
    public var sort: [RowOrder]
    /// How many rows there are at most; nil: all.
    public var limit: Int?

    /// By default all rows.
    public init(filter: [Comparison] = [], sort: [RowOrder] = [], limit: Int? = nil) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
    }

    var columns: [SourceColumn] { filter.map(\.column) + sort.map(\.column) }
}

/// Picks the rows that are shown. Pure: rows go in as they come, and out as they are shown.
struct RowPicker {
    private let selection: RowSelection
    private var waiting: [(ranks: [CellRank?], row: ListRow)] = []
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
    mutating func prune() -> [ListRow] {
        let sorted = waiting.sorted { precedes($0.ranks, $1.ranks) }
        waiting = Array(sorted.prefix(selection.limit ?? .max))
        return sorted.dropFirst(waiting.count).map(\.row)
    }

    /// Whether a row with these cells is shown at all.
    func accepts(_ cell: (SourceColumn) throws(SourceError) -> String?) throws(SourceError) -> Bool {
        for comparison in selection.filter {
            guard comparison.isMet(by: try cell(comparison.column)) else { return false }
        }
        return true
    }

    /// The row, if it can be shown at once; nil if it waits for the others, or is one too many.
    mutating func add(
        _ row: ListRow, _ cell: (SourceColumn) throws(SourceError) -> String?
    ) throws(SourceError) -> ListRow? {
        guard selection.sort.isEmpty else {
            var ranks: [CellRank?] = []
            for order in selection.sort { ranks.append(try cell(order.column).flatMap(Self.rank)) }
            waiting.append((ranks, row))
            return nil
        }
        return add(row)
    }

    /// The row, unless it is one too many, where rows are not sorted.
    mutating func add(_ row: ListRow) -> ListRow? {
        count += 1
        return count <= selection.limit ?? .max ? row : nil
    }

    /// The rows that waited for the others, in order.
    mutating func finish() -> [ListRow] {
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

/// By what rows are sorted: a column, upwards, or downwards with a minus before it.
///
/// Numbers come before times, times before texts, and what is not there always comes last. Texts are compared without
/// regard to case. Rows that are alike stay in the order in which they came.
public struct RowOrder: Hashable, Sendable, CustomStringConvertible {
    /// What is compared.
    public let column: SourceColumn
    /// Whether the greatest, newest or last of the alphabet comes first.
    public let isDescending: Bool

    /// An order by a column.
    public init(_ column: SourceColumn, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }

    /// Reads `stars` or `-stars`; a name may stand in quotes. Nil if there is no column.
    public init?(_ text: String) {
        let isDescending = text.hasPrefix("-")
        let name = isDescending ? text.dropFirst() : text[...]
        if name.count > 2, name.hasPrefix("\""), name.hasSuffix("\"") {
            self.init(.name(String(name.dropFirst().dropLast())), isDescending: isDescending)
        } else {
            guard let column = SourceColumn(String(name)) else { return nil }
            self.init(column, isDescending: isDescending)
        }
    }

    /// As it is written in settings.
    public var description: String { "\(isDescending ? "-" : "")\(column)" }

    /// Whether a row with one cell comes before a row with the other; nil: they are alike.
    func precedes(_ left: CellRank?, _ right: CellRank?) -> Bool? {
        guard left != right else { return nil }
        guard let left else { return false }
        guard let right else { return true }
        return isDescending ? right < left : left < right
    }
}

/// The sort order of a cell: as a number, a time, or a text.
enum CellRank: Hashable {
    case number(Double)
    /// Milliseconds since 1970.
    case time(Int64)
    /// In small letters, as bytes: Swift's strings take texts for equal that differ in them.
    case text([UInt8])

    init(_ cell: String) {
        if let number = Self.number(cell) {
            self = .number(number)
        } else if let time = Timestamp.milliseconds(cell) {
            self = .time(time)
        } else {
            self = .text(Array(cell.lowercased().utf8))
        }
    }

    /// Digits with a sign, a point or an exponent, or a percent sign behind them. Not `nan`, `inf` and `0x1p3`, which
    /// Swift reads as numbers but people as texts.
    private static func number(_ cell: String) -> Double? {
        let digits = cell.hasSuffix("%") ? cell.dropLast() : cell[...]
        guard digits.utf8.contains(where: { (48...57).contains($0) }),
            digits.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }),
            let number = Double(digits), number.isFinite
        else { return nil }
        return number == 0 ? 0 : number
    }
}

extension CellRank: Comparable {
    static func < (left: CellRank, right: CellRank) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.time(let left), .time(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.number, _): true
        case (.time, .text): true
        default: false
        }
    }
}
