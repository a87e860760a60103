import KeyedLists

/// One line of output, cut into its columns.
struct Cells {
    private enum Content {
        case text([Substring], line: String, header: [String])
        case members([Key: JSONValue])
    }

    private let content: Content

    /// Cuts a line of `lines` or `tsv`.
    init(_ line: String, _ format: RowFormat, header: [String]?) {
        content = .text(Self.cut(line, format), line: line, header: header ?? [])
    }

    /// Takes the members of a line of `jsonl`.
    init(members: [Key: JSONValue]) {
        content = .members(members)
    }

    /// What stands in a column; nil where the line has none.
    subscript(column: Column) -> JSONValue? {
        switch (content, column) {
        case (.members(let members), .name(let name)): members[Key(name)]
        case (.members, .number), (.members, .rest): nil
        case (.text(let cells, _, _), .number(let number)):
            number <= cells.count ? .string(String(cells[number - 1])) : nil
        case (.text(let cells, let line, _), .rest(let number)): Self.rest(of: line, cells, from: number)
        case (.text(let cells, let line, let header), .name(let name)):
            header.firstIndex(of: name).flatMap { index in
                // The last column of a table may hold blanks: a command with its arguments, a mount point.
                index == header.count - 1
                    ? Self.rest(of: line, cells, from: index + 1)
                    : index < cells.count ? .string(String(cells[index])) : nil
            }
        }
    }

    /// The names in a header line.
    static func names(in line: String, _ format: RowFormat) -> [String] {
        cut(line, format).map(String.init)
    }

    // By bytes, as a combining mark after a blank would hide the blank from a comparison of characters.
    private static func cut(_ line: String, _ format: RowFormat) -> [Substring] {
        switch format {
        case .tsv:
            line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(Substring.init)
        case .lines, .jsonl: line.utf8.split(whereSeparator: isBlank).map(Substring.init)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func rest(of line: String, _ cells: [Substring], from number: Int) -> JSONValue? {
        guard number <= cells.count else { return nil }
        let text = line.utf8[cells[number - 1].startIndex...]
        let end = text.lastIndex { !isBlank($0) }
        return .string(end.map { String(Substring(text[...$0])) } ?? "")
    }
}
