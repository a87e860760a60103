import KeyedLists

/// One row of what a source reads, before it is mapped.
package struct Record {
    /// Its position, counted from 1.
    package enum Place: Hashable, CustomStringConvertible {
        case line(Int)
        /// An element of a document, and the line on which it begins.
        case row(Int, line: Int)
        /// A row of what has no lines.
        case number(Int)

        package var description: String {
            switch self {
            case .line(let line): "Line \(line)"
            case .row(let row, let line): "Row \(row) (line \(line))"
            case .number(let number): "Row \(number)"
            }
        }

        /// This place and another, in a few words: "lines 3 and 5".
        func phrase(with other: Place) -> String {
            switch (self, other) {
            case (.number(let first), .number(let second)): "rows \(first) and \(second)"
            default: "lines \(line) and \(other.line)"
            }
        }

        private var line: Int {
            switch self {
            case .line(let line), .row(_, let line), .number(let line): line
            }
        }
    }

    /// What the format has cut already.
    package enum Content {
        case line(String)
        case table([String])
        /// The cells of a table that knows NULL, which is nil here.
        case values([String?])
        case json(JSONRecord)
    }

    let place: Place
    let content: Content

    package init(place: Place, content: Content) {
        self.place = place
        self.content = content
    }
}

/// The value of one column of a record.
package enum Cell: Hashable {
    /// A text, or a number, true or false as JSON writes it.
    case text(String)
    /// An object or an array.
    case structure
}

/// One record, by its columns.
struct Cells {
    private let content: Record.Content
    private let format: RowFormat
    private let header: [String]
    private let pieces: [Substring]

    init(_ content: Record.Content, _ format: RowFormat, header: [String]?) {
        self.content = content
        self.format = format
        self.header = header ?? []
        pieces = if case .line(let line) = content { Self.cut(line, format) } else { [] }
    }

    /// What stands in a column; nil where the record has none. A text with columns in it is `TextTemplate.filled`.
    subscript(column: SourceColumn) -> Cell? {
        switch content {
        case .json(let record): Self.cell(column, of: record)
        case .table(let cells): Self.cell(index(of: column), isRest: column.isRest, of: cells)
        case .values(let cells): Self.cell(index(of: column), isRest: column.isRest, of: cells)
        case .line(let line): cell(column, of: line)
        }
    }

    /// The record, where it is JSON.
    var json: JSONRecord? {
        if case .json(let record) = content { record } else { nil }
    }

    /// The names that a record has, were it a header.
    var names: [String] {
        switch content {
        case .json(let record): record.names
        case .table(let cells): cells.map(Self.trimmed)
        case .values(let cells): cells.map { $0 ?? "" }
        case .line: pieces.map(String.init)
        }
    }

    private static func cell(_ column: SourceColumn, of record: JSONRecord) -> Cell? {
        switch column {
        case .name(let name): record[JSONPointer([name])]
        case .pointer(let pointer): record[pointer]
        case .number, .rest, .template: nil
        }
    }

    private static func cell(_ index: Int?, isRest: Bool, of cells: [String]) -> Cell? {
        guard let index, index < cells.count else { return nil }
        return .text(isRest ? cells[index...].joined(separator: " ") : cells[index])
    }

    private static func cell(_ index: Int?, isRest: Bool, of cells: [String?]) -> Cell? {
        guard let index, index < cells.count else { return nil }
        guard isRest else { return cells[index].map(Cell.text) }
        return cell(0, isRest: true, of: cells[index...].compactMap(\.self))
    }

    private func cell(_ column: SourceColumn, of line: String) -> Cell? {
        guard let index = index(of: column), index < pieces.count else { return nil }
        // The last column of a table may hold blanks: a command with its arguments, a mount point.
        let isLast = !header.isEmpty && index == header.count - 1 && !column.isNumber
        guard column.isRest || isLast else { return .text(String(pieces[index])) }
        return .text(Self.trimmed(String(line.utf8[pieces[index].startIndex...]) ?? ""))
    }

    private func index(of column: SourceColumn) -> Int? { column.index(in: header) }

    // By bytes, as a combining mark after a blank would hide the blank from a comparison of characters.
    private static func cut(_ line: String, _ format: RowFormat) -> [Substring] {
        guard format == .tsv else { return line.utf8.split(whereSeparator: \.isBlank).map(Substring.init) }
        var pieces: [Substring] = []
        pieces.reserveCapacity(8)
        var rest = line[...]
        while let tab = rest.utf8.firstIndex(of: UInt8(ascii: "\t")) {
            pieces.append(rest[..<tab])
            rest = rest[rest.utf8.index(after: tab)...]
        }
        return pieces + [rest]
    }

    /// Without the blanks behind it.
    private static func trimmed(_ text: String) -> String {
        text.utf8.lastIndex { !$0.isBlank }.map { String(text[...$0]) } ?? ""
    }
}

extension SourceColumn {
    /// Where a table with this header has it, counted from 0.
    func index(in header: [String]) -> Int? {
        switch self {
        case .number(let number), .rest(let number): number - 1
        case .name(let name): header.firstIndex { $0.utf8.elementsEqual(name.utf8) }
        case .pointer(let pointer) where pointer.tokens.count == 1:
            SourceColumn.name(pointer.tokens[0]).index(in: header) ?? JSONPointer.element(pointer.tokens[0])
        case .pointer, .template: nil
        }
    }

    /// The columns that it is made of: itself, unless it is a text with others in it.
    var leaves: [SourceColumn] {
        if case .template(let template) = self { template.columns.flatMap(\.leaves) } else { [self] }
    }

    /// All places of a table with this header that it is made of, counted from 0.
    func indices(in header: [String]) -> [Int] {
        if case .template = self { return leaves.flatMap { $0.indices(in: header) } }
        guard let index = index(in: header), index < header.count else { return [] }
        return isRest ? Array(index..<header.count) : [index]
    }

    fileprivate var isRest: Bool { if case .rest = self { true } else { false } }

    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}

/// Reads the cells of one record as texts and fields, and reports where one can't be read.
struct CellReading {
    let place: Record.Place
    private let cells: Cells
    private let material: String
    private let base: WebURL?

    init(_ cells: Cells, of place: Record.Place, in material: String, base: WebURL? = nil) {
        self.cells = cells
        self.place = place
        self.material = material
        self.base = base
    }

    /// The text of a column; nil where it is not there. An object or an array is a fault.
    func text(_ column: SourceColumn) throws(SourceError) -> String? {
        try text(column, isURL: false, for: "column \(column)")
    }

    /// The text of a key, of which nothing may be missing.
    func key(_ column: SourceColumn) throws(SourceError) -> String? {
        if case .template(let template) = column {
            for column in template.columns where cells[column] == nil { return nil }
        }
        return try text(column, isURL: false, for: "key")
    }

    /// What a field shows; nil where its column is not there.
    func value(of field: FieldMapping.Field, _ column: SourceColumn) throws(SourceError) -> JSONValue? {
        let isURL = field == .link || field == .image
        guard let text = try text(column, isURL: isURL, for: field.rawValue) else { return nil }
        if isURL, let base, let url = WebURL(text, relativeTo: base) { return .string(url.text) }
        guard field == .time else { return .string(text) }
        guard !text.isEmpty else { return nil }
        guard let time = Timestamp.milliseconds(text) else {
            throw fault(
                "has “\(text.prefix(40))” for its time. ISO 8601, or seconds or milliseconds since 1970, is expected.")
        }
        return .number(Double(time))
    }

    /// A fault of this record.
    func fault(_ problem: String, detail: String = "") -> SourceError {
        SourceError(message: "\(place) of \(material) \(problem)", detail: detail)
    }

    private func text(_ column: SourceColumn, isURL: Bool, for purpose: String) throws(SourceError) -> String? {
        if case .template(let template) = column {
            return try template.filled(isURL: isURL) { (column) throws(SourceError) in
                try text(column, isURL: isURL, for: purpose)
            }
        }
        switch cells[column] {
        case .text(let text): return text
        case nil: return nil
        case .structure:
            throw fault("has an object or an array for its \(purpose). A text, a number, true or false is expected.")
        }
    }
}
