public import KeyedLists

/// What somebody looks for in a list: rows with some words that meet some conditions, in an order of their own.
///
/// Conditions and orders are written as in settings (`badge = fix`, `-time`), and go by what rows show: by their fields.
public struct RowQuery: Hashable, Sendable {
    /// The most words, conditions and orders, each.
    public static let most = 8

    private let words: SearchTerms
    private let filter: [Comparison]
    private let sort: [RowOrder]

    /// A query that wants all rows as they are.
    public init() { (words, filter, sort) = (SearchTerms(""), [], []) }

    /// Reads a query.
    public init(find: String, filter: [String], sort: [String]) throws(RowQueryError) {
        words = SearchTerms(find)
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

    /// The words that a row has to have, each in any of its texts: in small letters and without accents.
    public var foldedWords: [String] { words.folded }
    /// Whether some texts of a row, in UTF-8, have all words.
    package func hasWords(in texts: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Bool { words.areFound(in: texts) }
    /// Whether fields of these bytes may be wanted: false for nearly all that are not, and for a look at the bytes alone.
    package func mayWant(_ fields: UnsafeRawBufferPointer) -> Bool { words.mayBe(in: fields) }
    /// What a row has to meet, all of it, by its fields.
    public var conditions: [Comparison] { filter }
    /// By which fields rows are sorted; none: they are in the list's order.
    public var orders: [RowOrder] { sort }
}

extension RowQuery: RowArrangement {
    /// What a row with these fields is sorted by; nil if it is not looked for.
    public func sortKey(of fields: Fields) -> [UInt8]? {
        guard wants(fields) else { return nil }
        var key: [UInt8] = []
        for order in sort { fields.rank(order.column).append(to: &key, isDescending: order.isDescending) }
        return key
    }

    /// Whether a row with these fields is looked for.
    public func wants(_ fields: Fields) -> Bool {
        words.areFound(in: fields) && filter.allSatisfy { $0.isMet(by: fields.cell($0.column)) }
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

extension CellRank? {
    /// Writes bytes that are in the order of what they stand for, and none of which are the beginning of others.
    fileprivate func append(to bytes: inout [UInt8], isDescending: Bool) {
        let start = bytes.count
        switch self {
        case .number(let number):
            bytes.append(1)
            // By their bits, numbers above 0 are in order, and those below it in the other.
            let bits = number.bitPattern
            bytes.append(bigEndian: number.sign == .minus ? ~bits : bits | 1 << 63)
        case .time(let time):
            bytes.append(2)
            bytes.append(bigEndian: UInt64(bitPattern: time) ^ 1 << 63)
        case .text(let text):
            bytes.append(3)
            for byte in text { bytes += byte == 0 ? [0, 1] : [byte] }
            bytes += [0, 0]
        case nil:
            // Comes last in any case.
            return bytes.append(.max)
        }
        if isDescending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }
}

extension Fields {
    /// What rows are sorted by.
    fileprivate func rank(_ column: SourceColumn) -> CellRank? {
        if case .name(let name) = column, case .number(let number)? = self[Key(name)] { return .number(number) }
        return cell(column).flatMap { $0.isEmpty ? nil : CellRank($0) }
    }

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
