import ListSources
import Yams

/// What a list asks of a database, whichever: the database, a query, values for it, and limits.
///
/// ```yaml
/// sqlite: shop.db                    # or postgres: a URL
/// query: SELECT …
/// parameters: …
///
/// sqlite: {file: shop.db, query: …, parameters: …, size: 64MiB, wait: 5s}
/// ```
struct QueryReader {
    /// What may stand beside the database, or within its mapping.
    static let keys = ["query", "parameters"]
    private static let example = "a query such as SELECT name AS title FROM people"

    /// What kinds of databases there are.
    struct Kind {
        /// The key of the list.
        let name: String
        /// Where it is, in the mapping.
        let place: String
        /// What that is, for faults.
        let expected: String
        /// More members of the mapping.
        var members: [String] = []

        static let sqlite = Kind(
            name: "sqlite", place: "file", expected: "the path of a database", members: ["window"])
        static let postgres = Kind(
            name: "postgres", place: "url", expected: "a URL such as postgres://user@host/database", members: ["listen"]
        )
        static let all = [sqlite, postgres]
    }

    /// What all of them are asked.
    struct Asked {
        var place: String
        var query: String
        var fields = FieldMapping()
        var selection = RowSelection()
        /// The most that is read of the result, in bytes; nil: as the source has it.
        var size: Int?
        /// How long a lock is waited for; nil: as the source has it.
        var wait: Duration?
    }

    private let kind: Kind
    private let list: MappingReader
    private let faults: FaultCollector
    /// The mapping, where it is one.
    let members: MappingReader?

    init(_ kind: Kind, of list: MappingReader, _ faults: FaultCollector) {
        self.kind = kind
        self.list = list
        self.faults = faults
        let node = list[kind.name]
        let keys = [kind.place] + Self.keys + kind.members + ["size", "wait"]
        members =
            node?.mapping == nil
            ? nil : node.flatMap { MappingReader($0, path: kind.name, of: kind.name, keys: keys, faults) }
        members?.reportUnknownKeys()
    }

    /// What is asked of which database; nil, and faults, if one of the two is not there.
    func read() -> Asked? {
        guard let node = list[kind.name] else { return nil }
        for key in LayoutReader.formatKeys where list[key] != nil {
            faults.add(
                at: list.key(key), key, expected: "it only beside \(LayoutReader.sources(with: key).orList)",
                came: "beside \(kind.name)")
        }
        let (fields, selection) = LayoutReader(list, faults).readTable()
        if node.mapping != nil, members == nil { return nil }
        let place = members.map(place) ?? text(node, kind.name)
        guard let query = query(), let place else { return nil }
        var asked = Asked(place: place, query: query, fields: fields, selection: selection)
        if let members { readLimits(of: members, into: &asked) }
        return asked
    }

    /// The values for the query's places, and what they are called.
    func parameters() -> (node: Node, field: String)? { member("parameters") }

    private func place(_ members: MappingReader) -> String? {
        if let node = members[kind.place] { return text(node, "\(kind.name).\(kind.place)") }
        if !members.hasUnknownKey(near: [kind.place]) {
            members.fault(kind.place, expected: kind.expected, came: "none")
        }
        return nil
    }

    private func text(_ node: Node, _ field: String) -> String? {
        if let text = node.text, !text.isEmpty { return text }
        faults.add(at: node, field, expected: kind.expected, came: node.summary)
        return nil
    }

    private func query() -> String? {
        guard let (node, field) = member("query") else {
            if !list.hasUnknownKey(near: ["query"]), members?.hasUnknownKey(near: ["query"]) != true {
                faults.add(at: list[kind.name], "query", expected: Self.example, came: "none")
            }
            return nil
        }
        guard let query = node.text, query.contains(where: { !$0.isWhitespace }) else {
            faults.add(at: node, field, expected: Self.example, came: node.summary)
            return nil
        }
        if let name = Variables.names(in: query).first {
            faults.add(
                at: node, field, expected: "${\(name)} in parameters, where no value is read as SQL",
                came: "it in the query")
        }
        return query
    }

    /// What stands within the mapping or beside it, and what it is called there.
    private func member(_ name: String) -> (node: Node, field: String)? {
        let beside = list[name].map { ($0, name) }
        guard let within = members?[name] else { return beside }
        if beside != nil {
            faults.add(
                at: list.key(name), name, expected: "\(name) once", came: "it within \(kind.name) and beside it")
        }
        return (within, "\(kind.name).\(name)")
    }

    private func readLimits(of members: MappingReader, into asked: inout Asked) {
        asked.size = members.size("size")
        if case .of(let wait) = members.period("wait") { asked.wait = wait }
        if members["wait"]?.text == "none" { asked.wait = .zero }
    }
}
