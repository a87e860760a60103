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
}

/// Reads the database of a list, and what is asked of it.
///
/// ```yaml
/// sqlite: shop.db
/// query: SELECT id AS key, item AS title FROM orders WHERE state = :state
/// parameters: {state: open}                        # or a list, for ?
///
/// sqlite: {file: shop.db, query: …, parameters: …, size: 64MiB, wait: 5s}
/// ```
struct SQLiteReader {
    /// What may stand beside `sqlite`, or within it.
    static let keys = ["query", "parameters"]

    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    /// What is asked of which file; nil, and faults, if one of the two is not there.
    func read() -> SQLiteSettings? {
        guard let node = list["sqlite"] else { return nil }
        for key in LayoutReader.formatKeys where list[key] != nil {
            faults.add(
                at: list.key(key), key, expected: "it only beside \(LayoutReader.sources(with: key).orList)",
                came: "beside sqlite")
        }
        let (fields, selection) = LayoutReader(list, faults).readTable()
        let members = node.mapping == nil ? nil : members(of: node)
        if node.mapping != nil, members == nil { return nil }
        let file = members.map(file) ?? text(node, "sqlite", expected: "the path of a database")
        let query = query(members)
        let parameters = parameters(members)
        guard let file, let query else { return nil }
        var settings = SQLiteSettings(
            file: file, query: query, parameters: parameters, fields: fields, selection: selection)
        if let members { readLimits(of: members, into: &settings) }
        return settings
    }

    private func members(of node: Node) -> MappingReader? {
        let keys = ["file"] + Self.keys + ["size", "wait"]
        let members = MappingReader(node, path: "sqlite", of: "sqlite", keys: keys, faults)
        members?.reportUnknownKeys()
        return members
    }

    private func file(_ members: MappingReader) -> String? {
        if let node = members["file"] { return text(node, "sqlite.file", expected: "the path of a database") }
        if !members.hasUnknownKey(near: ["file"]) {
            members.fault("file", expected: "the path of a database", came: "none")
        }
        return nil
    }

    private func text(_ node: Node, _ field: String, expected: String) -> String? {
        if let text = node.text, !text.isEmpty { return text }
        faults.add(at: node, field, expected: expected, came: node.summary)
        return nil
    }

    private func query(_ members: MappingReader?) -> String? {
        guard let (node, field) = member("query", members) else {
            if !list.hasUnknownKey(near: ["query"]), members?.hasUnknownKey(near: ["query"]) != true {
                faults.add(
                    at: list["sqlite"], "query", expected: "a query such as SELECT name AS title FROM people",
                    came: "none")
            }
            return nil
        }
        guard let query = node.text, query.contains(where: { !$0.isWhitespace }) else {
            faults.add(
                at: node, field, expected: "a query such as SELECT name AS title FROM people", came: node.summary)
            return nil
        }
        if let name = Variables.names(in: query).first {
            faults.add(
                at: node, field, expected: "${\(name)} in parameters, where no value is read as SQL",
                came: "it in the query")
        }
        return query
    }

    /// What stands within `sqlite` or beside it, and what it is called there.
    private func member(_ name: String, _ members: MappingReader?) -> (node: Node, field: String)? {
        let beside = list[name].map { ($0, name) }
        guard let within = members?[name] else { return beside }
        if beside != nil {
            faults.add(at: list.key(name), name, expected: "\(name) once", came: "it within sqlite and beside it")
        }
        return (within, "sqlite.\(name)")
    }

    private func readLimits(of members: MappingReader, into settings: inout SQLiteSettings) {
        if let node = members["size"] {
            if let size = node.text.flatMap({ ByteText.bytes($0) }) {
                settings.size = size
            } else {
                members.fault("size", expected: ByteText.expected)
            }
        }
        if case .of(let wait) = members.period("wait") { settings.wait = wait }
        if members["wait"]?.text == "none" { settings.wait = .zero }
    }
}

extension SQLiteReader {
    private func parameters(_ members: MappingReader?) -> SQLiteParameters {
        guard let (node, field) = member("parameters", members) else { return [:] }
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
