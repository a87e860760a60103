import KeyedLists

/// Makes rows of a command's lines. Pure: lines go in, rows come out.
///
/// ```
///   line ──▶ text (UTF-8, no zero byte) ──▶ cells, by format ──▶ fields, by mapping ──▶ Row
/// ```
struct RowReader {
    /// The most that a row's fields may weigh as JSON, and its key, in bytes.
    struct Limits {
        var row = 16_384
        var key = 256
    }

    private let format: RowFormat
    private let fields: FieldMapping
    private let limits: Limits
    private let isKeyNamed: Bool
    private var header: [String]?
    private var line = 0
    private var lineOfKey: [Key: Int] = [:]
    private var derivedKeys = DerivedKeys()

    init(format: RowFormat, fields: FieldMapping, limits: Limits = Limits()) {
        self.format = format
        self.fields = fields.columns.isEmpty ? .standard(for: format) : fields
        self.limits = limits
        isKeyNamed = fields.columns[.key] != nil
    }

    /// The row of the next line; nil for an empty line and for a header.
    mutating func read(_ bytes: [UInt8]) throws(SourceError) -> Row? {
        line += 1
        let text = try text(bytes)
        guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return nil }
        if format != .jsonl, fields.usesNames, header == nil {
            try takeHeader(text)
            return nil
        }
        let cells = try cells(of: text, bytes)
        var members: [Key: JSONValue] = [:]
        for (field, column) in fields.columns where field != .key {
            members[Key(field.rawValue)] = try value(of: field, from: cells[column])
        }
        let row = try row(key: fields.columns[.key].flatMap { cells[$0] }, Fields(members))
        guard row.fields.bytes.count <= limits.row else {
            throw fault("makes a row of \(row.fields.bytes.count) bytes. A row may have \(limits.row).")
        }
        return row
    }

    private func text(_ bytes: [UInt8]) throws(SourceError) -> String {
        guard !bytes.contains(0) else { throw fault("is not text: it has a zero byte.", bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("is not UTF-8 text.", bytes) }
        return text
    }

    private mutating func takeHeader(_ text: String) throws(SourceError) {
        let names = Cells.names(in: text, format)
        header = names
        for case .name(let name) in fields.columns.values where !names.contains(name) {
            throw fault("names no column “\(name)”.", detail: "It names: \(names.joined(separator: ", "))")
        }
    }

    private func cells(of text: String, _ bytes: [UInt8]) throws(SourceError) -> Cells {
        guard format == .jsonl else { return Cells(text, format, header: header) }
        do {
            return Cells(members: try Fields(canonicalising: bytes).members)
        } catch {
            throw fault("is not a JSON object: at byte \(error.offset) there should be \(error.expected).", bytes)
        }
    }

    private func value(of field: FieldMapping.Field, from cell: JSONValue?) throws(SourceError) -> JSONValue? {
        guard let cell, cell != .null else { return nil }
        guard let text = Self.plain(cell) else {
            throw fault("has an object or an array for its \(field). A text, a number, true or false is expected.")
        }
        guard field == .time else { return .string(text) }
        guard !text.isEmpty else { return nil }
        guard let time = Timestamp.milliseconds(text) else {
            throw fault(
                "has “\(text.prefix(40))” for its time. ISO 8601, or seconds or milliseconds since 1970, is expected.")
        }
        return .number(Double(time))
    }

    private mutating func row(key cell: JSONValue?, _ fields: Fields) throws(SourceError) -> Row {
        guard let text = cell.flatMap(Self.plain) else {
            guard !isKeyNamed else { throw fault("has no key\(keyColumn).") }
            return Row(key: derivedKeys.key(for: fields), fields: fields)
        }
        guard !text.isEmpty else { throw fault("has an empty key\(keyColumn).") }
        guard text.utf8.count <= limits.key else {
            throw fault("has a key of \(text.utf8.count) bytes\(keyColumn). A key may have \(limits.key).")
        }
        let key = Key(text)
        if let first = lineOfKey.updateValue(line, forKey: key) {
            throw SourceError(message: "Two rows have the key “\(text)”: lines \(first) and \(line) of the output.")
        }
        return Row(key: key, fields: fields)
    }
}

extension RowReader {
    private var keyColumn: String {
        fields.columns[.key].map { " (column \($0))" } ?? ""
    }

    /// A fault of the line just read, with its beginning for the log.
    private func fault(_ problem: String, _ bytes: [UInt8]) -> SourceError {
        let start = bytes.prefix(80).map { (32...126).contains($0) ? String(Unicode.Scalar($0)) : "·" }.joined()
        return fault(problem, detail: "It begins: \(start)")
    }

    private func fault(_ problem: String, detail: String = "") -> SourceError {
        SourceError(message: "Line \(line) of the output \(problem)", detail: detail)
    }

    /// The text of a cell; nil for null, objects and arrays.
    private static func plain(_ cell: JSONValue) -> String? {
        switch cell {
        case .string(let text): text
        case .number, .bool: String(decoding: cell.canonical, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }
}
