public import KeyedLists

/// What somebody looks for in a list: rows with some words that meet some conditions, in an order of their own.
///
/// Conditions and orders are written as in settings (`badge = fix`, `-time`), and go by what rows show: by their fields.
public struct RowQuery: Hashable, Sendable {
    /// The most words, conditions and orders, each.
    public static let most = 8

    private let words: SoughtWords
    private let filter: [Comparison]
    private let sort: [RowOrder]

    /// A query that wants all rows as they are.
    public init() { (words, filter, sort) = (SoughtWords(""), [], []) }

    /// Reads a query.
    public init(find: String, filter: [String], sort: [String]) throws(RowQueryError) {
        words = SoughtWords(find)
        guard words.count <= Self.most else { throw .tooMany("find", "words") }
        guard filter.count <= Self.most else { throw .tooMany("filter", "conditions") }
        guard sort.count <= Self.most else { throw .tooMany("sort", "fields") }
        var (comparisons, orders): ([Comparison], [RowOrder]) = ([], [])
        for text in filter {
            guard let comparison = Comparison(text), case .name = comparison.column else { throw .condition(text) }
            comparisons.append(comparison)
        }
        for text in sort {
            guard let order = RowOrder(text), case .name = order.column else { throw .order(text) }
            orders.append(order)
        }
        (self.filter, self.sort) = (comparisons, orders)
    }

    /// Whether it wants all rows as they are.
    public var isEmpty: Bool { words.isEmpty && filter.isEmpty && sort.isEmpty }
}

extension RowQuery: RowArrangement {
    /// What rows are sorted by.
    public struct Rank: Comparable, Sendable {
        fileprivate let cells: [(cell: CellRank?, order: RowOrder)]

        /// Whether both are alike.
        public static func == (left: Rank, right: Rank) -> Bool {
            left.cells.elementsEqual(right.cells) { $0.cell == $1.cell }
        }

        /// Whether one row comes before another.
        public static func < (left: Rank, right: Rank) -> Bool {
            for (left, right) in zip(left.cells, right.cells) {
                if let precedes = left.order.precedes(left.cell, right.cell) { return precedes }
            }
            return false
        }
    }

    /// What a row with these fields is sorted by; nil if it is not looked for.
    public func rank(of fields: Fields) -> Rank? {
        guard words.areFound(in: fields) else { return nil }
        guard filter.allSatisfy({ $0.isMet(by: fields.cell($0.column)) }) else { return nil }
        return Rank(
            cells: sort.map { order in
                if case .name(let name) = order.column, case .number(let number)? = fields[Key(name)] {
                    return (.number(number), order)
                }
                return (fields.cell(order.column).flatMap { $0.isEmpty ? nil : CellRank($0) }, order)
            })
    }
}

/// Why texts are no query.
public enum RowQueryError: Error, Hashable, Sendable {
    /// This is no condition on a field.
    case condition(String)
    /// This is no field to sort by.
    case order(String)
    /// The member has more than `RowQuery.most` of these.
    case tooMany(String, String)

    /// What is wrong, in a sentence.
    ///
    /// - Parameter called: what a member is called where it came, such as `The field "window.sort"`.
    public func sentence(called: (String) -> String) -> String {
        switch self {
        case .condition(let text):
            "\(called("filter")) has \"\(text)\", which is no condition. Write a field, a relation and a value, such as "
                + "\"badge = fix\"."
        case .order(let text):
            "\(called("sort")) has \"\(text)\", which is no field. Write a name, with a minus for downwards, such as \"-time\"."
        case .tooMany(let member, let what): "\(called(member)) has more than \(RowQuery.most) \(what)."
        }
    }
}

extension Fields {
    /// A field as conditions and orders see it; nil if there is no text or number of that name.
    fileprivate func cell(_ column: SourceColumn) -> String? {
        guard case .name(let name) = column else { return nil }
        return switch self[Key(name)] {
        case .string(let text): text
        case .number(let number): Self.text(number)
        case .bool(let bool): "\(bool)"
        case .null, .array, .object, nil: nil
        }
    }

    private static func text(_ number: Double) -> String {
        var json = JSONWriter()
        json.value(number)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
