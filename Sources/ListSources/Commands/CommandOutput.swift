import KeyedLists

/// A command's output on its way to rows: counted, and read.
struct CommandOutput {
    private let limit: Int
    private var count = 0
    private var reader: RowReader

    init(_ source: CommandSource) {
        limit = source.outputLimit
        reader = RowReader(source.layout, of: "the output")
    }

    /// The rows that are whole with these bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws -> [Row] {
        count += bytes.count
        guard count <= limit else {
            throw SourceError(
                message: "The command printed more than \(ByteCount.text(limit)).",
                detail: "It was ended. Let it print less, such as by `head` or a limit of its own.")
        }
        return try reader.append(bytes)
    }

    /// The rows that are left when nothing follows.
    mutating func finish() throws -> [Row] { try reader.finish() }
}
