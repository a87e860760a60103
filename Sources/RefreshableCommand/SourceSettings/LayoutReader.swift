import ListSources
import Yams

/// Reads how what a source gives becomes rows.
///
/// ```yaml
/// format: json
/// encoding: iso-8859-1                             # of text that does not say so itself
/// rows: /data/items                                # where in the document they are
/// fields: {key: id, title: "{first} {last}", subtitle: /company/name, link: https://example.org/{id}}
/// filter: [stars >= 100, state = open]
/// sort: -stars                                     # or several: [-stars, name]
/// limit: 50
/// ```
struct LayoutReader {
    /// The keys that define how bytes become rows.
    static let formatKeys = ["format", "encoding", "rows"]
    static let keys = formatKeys + ["fields", "filter", "sort", "limit"]

    /// The sources for which one of them has a meaning: sources of bytes, and of text.
    static func sources(with formatKey: String) -> [String] {
        ["command", "file", "web"] + (formatKey == "encoding" ? ["feed"] : [])
    }

    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ reader: MappingReader, _ faults: FaultCollector) {
        self.reader = reader
        self.faults = faults
    }

    /// - Parameter format: the source's default.
    func read(unset format: RowFormat) -> RowLayout {
        let format = reader.word("format") ?? format
        return RowLayout(
            format, encoding: reader.word("encoding"), rows: rows(format), fields: fields(format),
            selection: selection(format))
    }

    /// For a feed, whose rows have a format and a place of their own.
    func readFeed() -> RowLayout {
        RowLayout(.feed, encoding: reader.word("encoding"), fields: fields(.feed), selection: selection(.feed))
    }

    /// For what gives rows with columns, and no bytes.
    func readTable() -> (FieldMapping, RowSelection) {
        (fields(.csv), selection(.csv))
    }

    private func selection(_ format: RowFormat) -> RowSelection {
        RowSelection(filter: filter(format), sort: sort(format), limit: limit())
    }

    private func rows(_ format: RowFormat) -> JSONPointer {
        guard let node = reader["rows"] else { return JSONPointer([]) }
        guard format == .json else {
            faults.add(
                at: reader.key("rows"), "rows", expected: "it only with format json", came: "with \(format)")
            return JSONPointer([])
        }
        if let pointer = node.text.flatMap(JSONPointer.init) { return pointer }
        let hint = node.text.flatMap { JSONPointer("/" + $0) }.map { SettingsFault.Hint.word("\($0)") }
        reader.fault("rows", expected: "a JSON pointer such as /data/items", hint: hint)
        return JSONPointer([])
    }

    private func limit() -> Int? {
        guard let node = reader["limit"] else { return nil }
        if let number = node.text.flatMap({ Int($0) }), number > 0 { return number }
        reader.fault("limit", expected: "a whole number above zero")
        return nil
    }
}

extension LayoutReader {
    private func filter(_ format: RowFormat) -> [Comparison] {
        texts("filter", or: "a comparison such as stars >= 100, or a list of some").compactMap { node, text in
            if let comparison = Comparison(text), allows(comparison.column, format) { return comparison }
            faults.add(
                at: node, "filter", expected: "a comparison such as stars >= 100, state = open, title contains swift",
                came: node.summary, hint: hint(for: text))
            return nil
        }
    }

    private func sort(_ format: RowFormat) -> [RowOrder] {
        texts("sort", or: "a column such as stars, or -stars for the greatest first, or a list of some")
            .compactMap { node, text in
                if let order = RowOrder(text), allows(order.column, format) { return order }
                faults.add(
                    at: node, "sort", expected: "a column such as stars, or -stars for the greatest first",
                    came: node.summary)
                return nil
            }
    }

    /// `a == b`, as programmers write it.
    private func hint(for text: String) -> SettingsFault.Hint? {
        let parts = text.split(separator: "==", omittingEmptySubsequences: false)
        guard parts.count == 2, let comparison = Comparison(parts.joined(separator: "=")) else { return nil }
        return .word(comparison.description)
    }

    /// One text, or a list of them.
    private func texts(_ name: String, or expected: String) -> [(Node, String)] {
        guard let node = reader[name] else { return [] }
        let nodes = node.sequence.map(Array.init) ?? [node]
        if nodes.isEmpty { reader.fault(name, expected: expected) }
        return nodes.compactMap { node in
            if let text = node.text { return (node, text) }
            faults.add(at: node, name, expected: expected, came: node.summary)
            return nil
        }
    }

    private func allows(_ column: SourceColumn, _ format: RowFormat) -> Bool {
        switch column {
        case .number, .rest: !format.hasMembers
        case .template(let template): template.columns.allSatisfy { allows($0, format) }
        case .name, .pointer: true
        }
    }
}

extension LayoutReader {
    /// The columns of the fields, and of the section, where that is a column.
    private func fields(_ format: RowFormat) -> FieldMapping {
        var mapping = mapping(format)
        if let node = reader["section"], node.mapping == nil {
            mapping.columns[.section] = column("section", of: reader, format)
        }
        return mapping
    }

    private func mapping(_ format: RowFormat) -> FieldMapping {
        guard let node = reader["fields"] else { return FieldMapping() }
        let named = FieldMapping.Field.allCases.filter { $0 != .section }
        let names = named.map(\.rawValue)
        guard let reader = MappingReader(node, path: "fields", of: "fields", keys: names, faults) else {
            return FieldMapping()
        }
        reader.reportUnknownKeys()
        var mapping = FieldMapping()
        for field in named {
            mapping.columns[field] = column(field.rawValue, of: reader, format)
        }
        return mapping
    }

    private func column(_ name: String, of fields: MappingReader, _ format: RowFormat) -> SourceColumn? {
        guard let node = fields[name] else { return nil }
        let expected =
            format.hasMembers
            ? "the name of a member, a JSON pointer, or a text with {name}s in it"
            : "a column number from 1 (2- for the rest), a name, or a text with {name}s in it"
        guard let text = node.text, let column = SourceColumn(text) else {
            fields.fault(name, expected: expected, hint: node.unquoted.map { .word("'\($0)'") })
            return nil
        }
        if allows(column, format) { return column }
        // A quoted "1" is a member's name, and JSON may have such names.
        if node.scalar?.style != .plain, !text.contains("{") { return .name(text) }
        fields.fault(name, expected: "\(expected), as the format is \(format)")
        return nil
    }
}
