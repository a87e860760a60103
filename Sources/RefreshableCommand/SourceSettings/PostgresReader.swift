import ListSources
import PostgresSources
import Yams

/// What a list asks of a PostgreSQL server.
struct PostgresSettings: Hashable {
    var url: String
    var query: String
    /// Nil for NULL.
    var parameters: [String?] = []
    /// The channel that tells of changes.
    var listen: String?
    var fields = FieldMapping()
    var selection = RowSelection()
    /// The most that is read of the result, in bytes.
    var size = 64 << 20
    /// How long a lock is waited for.
    var wait = Duration.seconds(5)
}

/// Reads the PostgreSQL server of a list, and what is asked of it.
///
/// ```yaml
/// postgres: postgres://shop:${PASSWORD}@db.example.org/shop
/// query: SELECT id AS key, item AS title FROM orders WHERE state = $1
/// parameters: [open]
///
/// postgres: {url: …, query: …, parameters: …, listen: orders, size: 64MiB, wait: 5s}
/// ```
struct PostgresReader {
    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    /// What is asked of which server; nil, and faults, if one of the two is not there, or the URL can't be read.
    func read() -> PostgresSettings? {
        let reader = QueryReader(.postgres, of: list, faults)
        let asked = reader.read()
        let parameters = parameters(reader)
        guard let asked, isAddress(asked.place) else { return nil }
        var settings = PostgresSettings(
            url: asked.place, query: asked.query, parameters: parameters, listen: reader.members?.text("listen"),
            fields: asked.fields, selection: asked.selection)
        if let size = asked.size { settings.size = size }
        if let wait = asked.wait { settings.wait = wait }
        return settings
    }

    private func isAddress(_ url: String) -> Bool {
        guard let fault = PostgresSource.fault(inURL: url) else { return true }
        let node = list["postgres"]?.mapping == nil ? list["postgres"] : list["postgres"]?["url"]
        faults.add(
            at: node, "postgres", expected: QueryReader.Kind.postgres.expected,
            came: "one that can't be read: \(fault)")
        return false
    }

    private func parameters(_ reader: QueryReader) -> [String?] {
        guard let (node, field) = reader.parameters() else { return [] }
        guard let sequence = node.sequence else {
            faults.add(at: node, field, expected: "a list of values, for $1, $2 and so on", came: node.summary)
            return []
        }
        return sequence.map { node in
            if node.scalar == nil {
                faults.add(
                    at: node, field, expected: "a text, a number, true, false or null as value", came: node.summary)
            }
            return node.text
        }
    }
}
