import KeyedLists

/// A command's output on its way to rows: counted, cut into lines, read.
struct CommandOutput {
    /// The longest line that is read. A row of 16 KiB fits with room for columns that no field uses.
    private static let lineLimit = 256 << 10

    private let limit: Int
    private var count = 0
    private var splitter = LineSplitter(limit: lineLimit)
    private var reader: RowReader

    init(_ source: CommandSource) {
        limit = source.outputLimit
        reader = RowReader(format: source.format, fields: source.fields)
    }

    /// The rows that are whole with these bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws -> [Row] {
        count += bytes.count
        guard count <= limit else {
            throw SourceError(
                message: "The command printed more than \(Self.size(limit)).",
                detail: "It was ended. Let it print less, such as by `head` or a limit of its own.")
        }
        return try read { splitter, body in try splitter.append(bytes, each: body) }
    }

    /// The row of a last line without an end.
    mutating func finish() throws -> [Row] {
        try read { splitter, body in try splitter.finish(each: body) }
    }

    private mutating func read(
        _ split: (inout LineSplitter, (([UInt8]) throws -> Void)) throws -> Void
    ) throws -> [Row] {
        var rows: [Row] = []
        do {
            try split(&splitter) { line in
                if let row = try reader.read(line) { rows.append(row) }
            }
        } catch is LineTooLong {
            throw SourceError(
                message: "The command printed a line of more than \(Self.size(Self.lineLimit)).",
                detail: "Rows are lines: is the format right?")
        }
        return rows
    }

    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1024: "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}
