package import KeyedLists

/// Makes rows of records. Pure: records go in, rows come out.
///
/// ```
///   record ──▶ cells, by format and header ──▶ shown at all? ──▶ fields, by mapping ──▶ ListRow, with its key
/// ```
package struct RowBuilder {
    /// The most that a row's fields may weigh as JSON, and its key, in bytes.
    package struct Limits {
        var row = 16_384
        var key = 256
    }

    private let layout: RowLayout
    private let material: String
    private let base: WebURL?
    private let limits: Limits
    private var fields: FieldMapping { didSet { shown = Self.shown(fields) } }
    /// The fields that rows show, in the order of their names.
    private var shown: [(field: FieldMapping.Field, name: Key, column: SourceColumn)]
    private let isStandard: Bool
    private var picker: RowPicker
    private var header: [String]?
    private var isFirst = true
    /// Of a table whose columns are known before, those that rows are made of, counted from 0.
    package private(set) var usedColumns: [Int] = []
    /// Of those, the columns of texts that people read.
    package private(set) var textColumns: [Int] = []
    /// How many records have come, but for the header.
    private(set) var count = 0
    /// Whether a key that comes twice is a fault here: else whoever takes the rows finds it.
    package var checksKeys = true
    private var places = KeyPlaces()
    /// Makes rows where that is simple; nil where it is not, or before the first row.
    private var plain: PlainRows?
    private var derivedKeys = DerivedKeys()

    init(_ layout: RowLayout, of material: String, base: WebURL? = nil, limits: Limits = Limits()) {
        self.layout = layout
        self.base = base
        self.material = material
        self.limits = limits
        isStandard = layout.fields.isStandard
        fields = layout.columns
        shown = Self.shown(fields)
        picker = RowPicker(layout.selection)
    }

    /// For the rows of a table whose columns have names that are known before.
    ///
    /// - Throws: `SourceError` if a column that is asked for is not among them.
    package init(
        columns names: [String], fields: FieldMapping, selection: RowSelection, of material: String
    ) throws(SourceError) {
        self.init(RowLayout(.csv, fields: fields, selection: selection), of: material)
        isFirst = false
        let phrase = "\(material.prefix(1).uppercased())\(material.dropFirst()) names"
        for column in (layout.fields.columns.values + selection.columns).flatMap(\.leaves)
        where column.indices(in: names).isEmpty {
            throw Self.fault(phrase, no: "\(column)", among: names)
        }
        try use(header: names, phrase)
        usedColumns = Set((self.fields.columns.values + selection.columns).flatMap { $0.indices(in: names) }).sorted()
        let texts = shown.filter { ![.image, .link, .time].contains($0.field) }
        textColumns = Set(texts.flatMap { $0.column.indices(in: names) }).sorted()
    }

    /// Whether no row that follows can be shown any more.
    package var isFull: Bool { picker.isFull }

    /// The row of the next record; nil if it is a header, is not shown, or waits to be sorted.
    package mutating func add(_ record: Record) throws(SourceError) -> ListRow? {
        defer { isFirst = false }
        if isFirst {
            let isHeader = try takeHeader(record)
            plain = plainRows
            if isHeader { return nil }
        }
        count += 1
        guard !picker.isFull else { return nil }
        if let row = try plainRow(of: record) { return picker.add(row) }
        let cells = Cells(record.content, layout.format, header: header)
        let reading = CellReading(cells, of: record.place, in: material, base: base)
        guard try picker.accepts({ (column) throws(SourceError) in try reading.text(column) }) else { return nil }
        let row = try row(of: reading, cells)
        if picker.isOverfull { for row in picker.prune() { places.remove(row.key) } }
        return try picker.add(row) { (column) throws(SourceError) in try reading.text(column) }
    }

    /// The rows that waited to be sorted.
    package mutating func finish() -> [ListRow] { picker.finish() }

    private static func shown(
        _ fields: FieldMapping
    ) -> [(field: FieldMapping.Field, name: Key, column: SourceColumn)] {
        fields.columns.filter { $0.key != .key }.map { ($0.key, Key($0.key.rawValue), $0.value) }.sorted { $0.1 < $1.1 }
    }

    /// Whether the first record names the columns.
    private mutating func takeHeader(_ record: Record) throws(SourceError) -> Bool {
        guard !layout.format.hasMembers else { return false }
        let names = Cells(record.content, layout.format, header: nil).names
        let needed = layout.headerNames
        guard !needed.isEmpty || isStandard && layout.format != .lines && names.contains("title") else { return false }
        try use(header: names, "\(record.place) of \(material) names")
        return true
    }

    /// - Parameter phrase: the beginning of a sentence that ends with what there is.
    private mutating func use(header names: [String], _ phrase: String) throws(SourceError) {
        if isStandard, layout.format != .lines, names.contains("title") {
            fields = .byName(FieldMapping.Field.named.filter { names.contains($0.rawValue) }).merging(layout.fields)
        }
        for name in layout.headerNames where !names.contains(name) {
            throw Self.fault(phrase, no: name, among: names)
        }
        header = names
    }

    private static func fault(_ phrase: String, no name: String, among names: [String]) -> SourceError {
        // A line of a table that was read as one of words has its names in one.
        let isTable = names.contains { $0.split { ",;|".contains($0) }.contains(name[...]) }
        let advice = isTable ? ". Its format may be csv" : ""
        return SourceError(
            message: "\(phrase) no column “\(name)”.", detail: "It names: \(names.joined(separator: ", "))\(advice)")
    }

    private var plainRows: PlainRows? {
        guard layout.format == .tsv, layout.selection.filter.isEmpty, layout.selection.sort.isEmpty else { return nil }
        return PlainRows(shown, key: fields.columns[.key], header: header ?? [], hasBase: base != nil)
    }

    /// Nil where it is not simple, or not right: then it is looked at more closely.
    private mutating func plainRow(of record: Record) throws(SourceError) -> ListRow? {
        guard plain != nil, case .line(var line) = record.content,
            let row = line.withUTF8({ plain?.row(of: UnsafeRawBufferPointer($0)) }),
            row.fields.bytes.count <= limits.row, row.key.string.utf8.count <= limits.key
        else { return nil }
        try note(row.key, at: record.place)
        return row
    }

    private mutating func note(_ key: Key, at place: Record.Place) throws(SourceError) {
        guard checksKeys, let first = places.insert(key, at: place) else { return }
        throw SourceError(
            message: "Two rows have the key “\(key)”: \(first.phrase(with: place)) of \(material).")
    }

    private mutating func row(of reading: CellReading, _ cells: Cells) throws(SourceError) -> ListRow {
        var members: [(name: Key, value: JSONValue)] = []
        if let json = cells.json { try check(json, reading) }
        for (field, name, column) in shown {
            if let value = try reading.value(of: field, column) { members.append((name, value)) }
        }
        // A plain text has no members.
        if isStandard, let text = cells.json?.plainText { members = [("title", .string(text))] }
        let fields = Fields(ordered: members)
        guard fields.bytes.count <= limits.row else {
            throw reading.fault("makes a row of \(fields.bytes.count) bytes. A row may have \(limits.row).")
        }
        return ListRow(key: try key(of: reading, cells, fields), fields: fields)
    }

    /// A record that can't be mapped at all is an error here, rather than an empty row.
    private func check(_ json: JSONRecord, _ reading: CellReading) throws(SourceError) {
        switch json.kind {
        case .object:
            guard isStandard else { return }
            let names = json.names
            let known = FieldMapping.Field.named.map(\.rawValue)
            guard !names.contains(where: { known.contains($0) && $0 != "key" }) else { return }
            throw reading.fault(
                "has no title: say with fields which of its members is shown.", detail: Self.listing(names))
        case .array where !isStandard: return
        case .string where isStandard, .number where isStandard, .bool where isStandard: return
        case let kind: throw reading.fault("is \(kind.phrase). An object is expected.")
        }
    }

    private static func listing(_ names: [String]) -> String {
        names.isEmpty ? "" : "It has: \(names.prefix(30).joined(separator: ", "))"
    }

    private mutating func key(of reading: CellReading, _ cells: Cells, _ fields: Fields) throws(SourceError) -> Key {
        guard let column = self.fields.columns[.key] else { return derivedKeys.key(for: fields) }
        guard let text = try reading.key(column) else {
            guard layout.fields.columns[.key] != nil else { return derivedKeys.key(for: fields) }
            throw reading.fault("has no key (\(column.phrase)).", detail: Self.listing(cells.json?.names ?? []))
        }
        guard !text.isEmpty else { throw reading.fault("has an empty key (\(column.phrase)).") }
        guard text.utf8.count <= limits.key else {
            throw reading.fault(
                "has a key of \(text.utf8.count) bytes (\(column.phrase)). A key may have \(limits.key).")
        }
        let key = Key(text)
        try note(key, at: reading.place)
        return key
    }
}

extension SourceColumn {
    /// For a person who looks for it.
    var phrase: String {
        switch self {
        case .number, .rest, .name: "column \(self)"
        case .pointer, .template: description
        }
    }
}
