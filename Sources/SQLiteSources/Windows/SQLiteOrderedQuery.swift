import ListSources

/// A query whose rows are in an order that tells them apart.
struct SQLiteOrderedQuery: Sendable {
    struct Column: Sendable {
        let name: String
        let isDescending: Bool
        /// As it stands in SQL.
        var quoted: String { SQLiteOrderedQuery.quoted(name) }
    }

    let parameters: SQLiteParameters
    let fields: FieldMapping
    /// The last is the key.
    let columns: [Column]
    /// As it was given.
    let text: String

    init(_ query: String, _ parameters: SQLiteParameters, by order: [String], key: String, fields: FieldMapping) {
        self.parameters = parameters
        self.fields = fields
        text = query
        var columns = order.map { text in
            let isDescending = text.hasPrefix("-")
            return Column(name: String(isDescending ? text.dropFirst() : text[...]), isDescending: isDescending)
        }
        let last = Column(name: key, isDescending: columns.last?.isDescending ?? false)
        if columns.last?.name != last.name { columns.append(last) }
        self.columns = columns
    }

    var key: Column { columns[columns.count - 1] }

    /// What the rows of a select are taken from, with a condition.
    func from(where conditions: [String]) -> String {
        var query = text[...]
        while let last = query.last, last.isWhitespace || last == ";" { query.removeLast() }
        // On a line of its own: it may end in a comment.
        return "FROM (\n\(query)\n)" + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
    }

    /// - Parameter isReversed: the last row comes first.
    func orderBy(isReversed: Bool = false) -> String {
        let terms = columns.map { "\($0.quoted)\($0.isDescending != isReversed ? " DESC" : "")" }
        return "ORDER BY \(terms.joined(separator: ", "))"
    }

    /// The condition that a row comes after a place, or is it.
    ///
    /// - Parameters:
    ///   - place: a value for each column, as it stands in SQL.
    ///   - isBefore: that it comes before it, instead.
    func follows(_ place: [String], isBefore: Bool = false) -> String {
        let names = columns.map(\.quoted)
        if Set(columns.map(\.isDescending)).count == 1 {
            let isLess = columns[0].isDescending != isBefore
            let relation = isLess ? (isBefore ? "<" : "<=") : (isBefore ? ">" : ">=")
            return "(\(names.joined(separator: ", "))) \(relation) (\(place.joined(separator: ", ")))"
        }
        // From the last column to the first: is beyond, or is there and the rest follows.
        var condition = ""
        for (column, value) in zip(columns, place).reversed() {
            let beyond = column.isDescending != isBefore ? "<" : ">"
            condition =
                condition.isEmpty
                ? "\(column.quoted) \(beyond)\(isBefore ? "" : "=") \(value)"
                : "\(column.quoted) \(beyond)= \(value) AND (\(column.quoted) \(beyond) \(value) OR (\(condition)))"
        }
        return "(\(condition))"
    }

    static func quoted(_ name: String) -> String { name.inSQL(between: "\"") }
}

extension String {
    /// Between these signs, each of which within it is doubled: an identifier between `"`, a text between `'`. By scalars: a sign with
    /// an accent is one character to Swift, and ends the text for SQLite.
    func inSQL(between sign: Unicode.Scalar) -> String {
        var text = String.UnicodeScalarView([sign])
        for scalar in unicodeScalars { text += scalar == sign ? [sign, sign] : [scalar] }
        return String(text + [sign])
    }
}
