import KeyedLists

/// How rows are printed for programs: `{"fields":{…},"key":"a"}` a line, or a table of comma-separated values (RFC 4180).
enum RowFormatter {
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

/// A row as text: what the page would show of it.
struct ShownRow: Equatable {
    var title: String
    /// Subtitle and detail.
    var middle: String
    /// Badge and age.
    var end: String

    /// - Parameter now: milliseconds since 1970.
    init(_ key: Key, _ fields: Fields, now: Int64) {
        let members = fields.members
        let text = { (name: Key) in Self.text(members[name]) }
        title = text("title") ?? key.string.clean
        middle = [text("subtitle"), text("detail")].compactMap(\.self).joined(separator: " · ")
        let age = Self.milliseconds(members["time"]).map { Age.text(of: $0, now: now) }
        end = [text("badge"), age].compactMap(\.self).joined(separator: " · ")
    }

    /// The whole row in one line, as a file has it.
    var line: String { [title, middle, end].filter { !$0.isEmpty }.joined(separator: "\t") }

    static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text.clean
        case .number, .bool: value.map { String(decoding: $0.canonical, as: UTF8.self) }
        default: nil
        }
    }

    static func milliseconds(_ value: JSONValue?) -> Int64? {
        guard case .number(let number)? = value, number.magnitude < 8.64e15 else { return nil }
        return Int64(number)
    }
}

extension String {
    /// For one line of what is drawn.
    var clean: String { TerminalText.blank(self) }
}
