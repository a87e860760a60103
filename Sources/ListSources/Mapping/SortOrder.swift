/// By what rows are sorted: a column, upwards, or downwards with a minus before it.
///
/// Numbers come before times, times before texts, and what is not there always comes last. Texts are compared without
/// regard to case. Rows that are alike stay in the order in which they came.
public struct SortOrder: Hashable, Sendable, CustomStringConvertible {
    /// What is compared.
    public let column: Column
    /// Whether the greatest, newest or last of the alphabet comes first.
    public let isDescending: Bool

    /// An order by a column.
    public init(_ column: Column, isDescending: Bool = false) {
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
            guard let column = Column(String(name)) else { return nil }
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
