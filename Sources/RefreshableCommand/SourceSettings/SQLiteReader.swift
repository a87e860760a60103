import ListSources
import SQLiteSources
import Yams

/// What a list asks of a SQLite database.
struct SQLiteSettings: Hashable {
    /// A relative one starts in the folder of the settings file.
    var file: String
    var query: String
    var parameters: SQLiteParameters = [:]
    var fields = FieldMapping()
    var selection = RowSelection()
    /// The most that is read of the result, in bytes.
    var size = 64 << 20
    /// How long a lock is waited for.
    var wait = Duration.seconds(5)
    /// By which columns rows are ordered that are read as somebody looks at them; nil: all are read.
    var window: [String]?
}

/// Reads the SQLite database of a list, and what is asked of it.
///
/// ```yaml
/// sqlite: shop.db
/// query: SELECT id AS key, item AS title FROM orders WHERE state = :state
/// parameters: {state: open}                        # or a list, for ?
/// ```
struct SQLiteReader {
    /// What a list can't have whose rows are not kept.
    private static let keysOfWholeLists = [
        "push", "actions", "unread", "notify", "filter", "sort", "limit", "mode",
    ]

    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    /// What is asked of which file; nil, and faults, if one of the two is not there.
    func read() -> SQLiteSettings? {
        let reader = QueryReader(.sqlite, of: list, faults)
        let asked = reader.read()
        let parameters = parameters(reader)
        guard let asked else { return nil }
        var settings = SQLiteSettings(
            file: asked.place, query: asked.query, parameters: parameters, fields: asked.fields,
            selection: asked.selection)
        if let size = asked.size { settings.size = size }
        if let wait = asked.wait { settings.wait = wait }
        settings.window = window(reader.members)
        return settings
    }

    /// The order of a table of which only those rows are read that somebody looks at.
    private func window(_ members: MappingReader?) -> [String]? {
        guard let node = members?["window"] else { return nil }
        let texts = node.sequence.map { $0.compactMap(\.text) } ?? node.text.map { [$0] } ?? []
        guard !texts.isEmpty, texts.count == node.sequence?.count ?? 1, texts.allSatisfy({ !$0.isEmpty && $0 != "-" })
        else {
            members?.fault("window", expected: "a column of the result to order by, or a list of them, such as -time")
            return nil
        }
        for key in Self.keysOfWholeLists where list[key] != nil {
            faults.add(at: list.key(key), key, expected: "it where all rows are read", came: "it beside sqlite.window")
        }
        return texts
    }
}

extension SQLiteReader {
    private func parameters(_ reader: QueryReader) -> SQLiteParameters {
        guard let (node, field) = reader.parameters() else { return [:] }
        if let sequence = node.sequence { return .positional(sequence.map { value($0, field) }) }
        guard let mapping = node.mapping else {
            faults.add(
                at: node, field, expected: "a mapping of names and values, or a list of values", came: node.summary)
            return [:]
        }
        var values: [String: SQLiteValue] = [:]
        for (key, node) in mapping {
            // As it is written in SQL, or without its sign.
            let name = key.text ?? ""
            values[[":", "@", "$"].contains(name.first) ? String(name.dropFirst()) : name] = value(node, field)
        }
        return .named(values)
    }

    /// What YAML means without quotes is a number, true, false or null; in quotes a text.
    private func value(_ node: Node, _ field: String) -> SQLiteValue {
        guard let scalar = node.scalar else {
            faults.add(
                at: node, field, expected: "a text, a number, true, false or null as value", came: node.summary)
            return .null
        }
        guard let text = node.text else { return .null }
        return scalar.style == .plain ? Self.plain(text) : .text(text)
    }

    /// Digits with a zero in front stay a text: that is how postal codes and article numbers are written.
    private static func plain(_ text: String) -> SQLiteValue {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isNumber = digits.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
        let isPadded = digits.utf8.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0.")
        switch text {
        case "true": return .integer(1)
        case "false": return .integer(0)
        case _ where !isNumber || isPadded: return .text(text)
        default: return Int64(text).map(SQLiteValue.integer) ?? Double(text).map(SQLiteValue.real) ?? .text(text)
        }
    }
}
