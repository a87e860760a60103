/// One condition that a row has to meet to be shown: `stars >= 100`, `state = open`, `title contains swift`.
///
/// ```
///   COLUMN = VALUE    !=    <    <=    >    >=    contains        a value may stand in quotes, as may a name with blanks
///   assignee =        nothing is there          assignee !=       something is there
/// ```
///
/// Compared are numbers where the value is one (`95%` is 95), times where it is a date, else texts: `=` and `!=` byte by
/// byte, `contains` without regard to case. What is not there, or is no number where one is asked for, meets only `!=`.
public struct Comparison: Hashable, Sendable, CustomStringConvertible {
    /// How a cell has to stand to the value.
    public enum Relation: String, CaseIterable, Hashable, Sendable {
        /// The same number, moment or text.
        case equal = "="
        /// Another one, or none.
        case unequal = "!="
        /// Below, before.
        case less = "<"
        /// Not above, not after.
        case atMost = "<="
        /// Above, after.
        case greater = ">"
        /// Not below, not before.
        case atLeast = ">="
        /// The value is somewhere in the text.
        case contains
    }

    /// What is compared.
    public let column: SourceColumn
    /// How.
    public let relation: Relation
    /// With what; empty: with nothing.
    public let value: String

    /// A condition on a column.
    public init(_ column: SourceColumn, _ relation: Relation, _ value: String) {
        self.column = column
        self.relation = relation
        self.value = value
    }

    /// Reads `COLUMN RELATION VALUE`. Nil if one of the first two is missing.
    public init?(_ text: String) {
        var scanner = ComparisonScanner(text)
        guard let column = scanner.column(), let relation = scanner.relation() else { return nil }
        guard let value = scanner.value(), !value.isEmpty || relation == .equal || relation == .unequal else {
            return nil
        }
        self.init(column, relation, value)
    }

    /// As it is written in settings.
    public var description: String { "\(column) \(relation.rawValue)\(value.isEmpty ? "" : " \(value)")" }

    /// Whether a cell meets the condition; nil: there is none.
    func isMet(by cell: String?) -> Bool {
        let cell = cell ?? ""
        switch relation {
        case .contains: return cell.lowercased().contains(value.lowercased())
        case .equal where value.isEmpty: return cell.isEmpty
        case .unequal where value.isEmpty: return !cell.isEmpty
        case .unequal: return order(of: cell) != .some(.same)
        case .equal: return order(of: cell) == .some(.same)
        case .less: return order(of: cell) == .some(.before)
        case .greater: return order(of: cell) == .some(.after)
        case .atMost: return [.before, .same].contains(order(of: cell))
        case .atLeast: return [.after, .same].contains(order(of: cell))
        }
    }

    private enum Order: Equatable {
        case before, same, after
    }

    /// How a cell stands to the value; nil if they are of two kinds, or there is no cell.
    private func order(of cell: String) -> Order? {
        guard !cell.isEmpty else { return nil }
        switch (CellRank(cell), CellRank(value)) {
        case (.number(let left), .number(let right)): return Self.order(left, right)
        case (.time(let left), .time(let right)): return Self.order(left, right)
        case (.number(let left), .time(let right)):
            return Timestamp.milliseconds(left).flatMap { Self.order($0, right) }
        // A text that begins with digits may be compared with one that is a number: a name, a size. They are unequal.
        case (_, .number), (_, .time): return nil
        default: return Self.order(Array(cell.utf8), Array(value.utf8))
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
        left < right ? .before : left == right ? .same : .after
    }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Order {
        left == right ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
    }
}

/// Takes the three parts of a comparison off the front of its text.
struct ComparisonScanner {
    private static let relations = Comparison.Relation.allCases.sorted { $0.rawValue.count > $1.rawValue.count }

    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    /// Up to the relation; a name in quotes may hold anything.
    mutating func column() -> SourceColumn? {
        skipBlanks()
        if let name = quoted() { return name.isEmpty ? nil : .name(name) }
        var name = ""
        while let mark = rest.first, !"=!<>".contains(mark), !(name.hasSuffix(" ") && rest.hasPrefix("contains ")) {
            name.append(mark)
            rest.removeFirst()
        }
        return SourceColumn(Self.trimmed(name))
    }

    mutating func relation() -> Comparison.Relation? {
        skipBlanks()
        guard let relation = Self.relations.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
        rest.removeFirst(relation.rawValue.count)
        return relation
    }

    /// All that is left; nil if something follows the quotes, or another relation, as in `==`.
    mutating func value() -> String? {
        skipBlanks()
        guard rest.first == "\"" else {
            return rest.first.map { "=!<>".contains($0) } == true ? nil : Self.trimmed(String(rest))
        }
        guard let value = quoted() else { return nil }
        skipBlanks()
        return rest.isEmpty ? value : nil
    }

    private mutating func quoted() -> String? {
        guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest.dropFirst()[..<end])
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start.lastIndex { $0 != " " && $0 != "\t" }.map { String(start[...$0]) } ?? ""
    }
}
