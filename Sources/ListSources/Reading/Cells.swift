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
    subscript(column: Column) -> Cell? {
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

    private static func cell(_ column: Column, of record: JSONRecord) -> Cell? {
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

    private func cell(_ column: Column, of line: String) -> Cell? {
        guard let index = index(of: column), index < pieces.count else { return nil }
        // The last column of a table may hold blanks: a command with its arguments, a mount point.
        let isLast = !header.isEmpty && index == header.count - 1 && !column.isNumber
        guard column.isRest || isLast else { return .text(String(pieces[index])) }
        return .text(Self.trimmed(String(line.utf8[pieces[index].startIndex...]) ?? ""))
    }

    private func index(of column: Column) -> Int? { column.index(in: header) }

    // By bytes, as a combining mark after a blank would hide the blank from a comparison of characters.
    private static func cut(_ line: String, _ format: RowFormat) -> [Substring] {
        guard format == .tsv else { return line.utf8.split(whereSeparator: \.isBlank).map(Substring.init) }
        return line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(Substring.init)
    }

    /// Without the blanks behind it.
    private static func trimmed(_ text: String) -> String {
        text.utf8.lastIndex { !$0.isBlank }.map { String(text[...$0]) } ?? ""
    }
}

extension Column {
    /// Where a table with this header has it, counted from 0.
    func index(in header: [String]) -> Int? {
        switch self {
        case .number(let number), .rest(let number): number - 1
        case .name(let name): header.firstIndex { $0.utf8.elementsEqual(name.utf8) }
        case .pointer(let pointer) where pointer.tokens.count == 1:
            Column.name(pointer.tokens[0]).index(in: header) ?? JSONPointer.element(pointer.tokens[0])
        case .pointer, .template: nil
        }
    }

    /// The columns that it is made of: itself, unless it is a text with others in it.
    var leaves: [Column] {
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
