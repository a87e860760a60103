/// Takes the three parts of a comparison off the front of its text.
struct ComparisonScanner {
    private static let relations = Comparison.Relation.allCases.sorted { $0.rawValue.count > $1.rawValue.count }

    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    /// Up to the relation; a name in quotes may hold anything.
    mutating func column() -> Column? {
        skipBlanks()
        if let name = quoted() { return name.isEmpty ? nil : .name(name) }
        var name = ""
        while let mark = rest.first, !"=!<>".contains(mark), !(name.hasSuffix(" ") && rest.hasPrefix("contains ")) {
            name.append(mark)
            rest.removeFirst()
        }
        return Column(Self.trimmed(name))
    }

    mutating func relation() -> Comparison.Relation? {
        skipBlanks()
        guard let relation = Self.relations.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
        rest.removeFirst(relation.rawValue.count)
        return relation
    }

    /// All that is left; nil if it goes on after the quotes, or with another relation, as in `==`.
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
