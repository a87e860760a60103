import KeyedLists

/// How rows are printed for programs: `{"fields":{…},"key":"a"}` a line, or a table of comma-separated values (RFC 4180).
enum RowForm {
    case json
    case csv

    func lines(_ rows: [(key: Key, fields: Fields)]) -> [String] {
        switch self {
        case .json: rows.map { Self.json($0.key, $0.fields) }
        case .csv: Self.csv(rows)
        }
    }

    static func json(_ key: Key, _ fields: Fields) -> String {
        "{\"fields\":\(fields),\"key\":\(String(decoding: JSONValue.string(key.string).canonical, as: UTF8.self))}"
    }

    /// The key, then every field that any row has: those the page draws in its order, the others by name.
    private static func csv(_ rows: [(key: Key, fields: Fields)]) -> [String] {
        let members = rows.map(\.fields.members)
        let known: [Key] = ["title", "subtitle", "detail", "time", "badge", "link", "image"]
        let names = Set(members.flatMap(\.keys))
        let others = names.subtracting(known).sorted { $0.string < $1.string }
        let columns = known.filter(names.contains) + others
        let head = (["key"] + columns.map(\.string)).map(quoted).joined(separator: ",")
        return [head]
            + zip(rows, members).map { row, members in
                ([quoted(row.key.string)] + columns.map { cell(members[$0]) }).joined(separator: ",")
            }
    }

    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null?: ""
        case .string(let text)?: quoted(text)
        case let value?: quoted(String(decoding: value.canonical, as: UTF8.self))
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
