import KeyedLists

/// A command's output on its way to rows: counted, read, and heard for how far the command is.
struct CommandOutput {
    private let limit: Int
    private let counting: CommandSource.Progress
    private var count = 0
    private var lines = ProgressLines(keepsLines: true)
    private var reader: RowReader

    init(_ source: CommandSource) {
        limit = source.outputLimit
        counting = source.progress
        reader = RowReader(source.layout, of: "the output")
    }

    /// Yields the rows that are whole with these bytes, and reports how far the command is if they tell.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to run: any RowSink) throws {
        count += bytes.count
        guard count <= limit else {
            throw SourceError(
                message: "The command printed more than \(ByteCount.text(limit)).",
                detail: "It was ended. Let it print less, such as by `head` or a limit of its own, or raise `size`.")
        }
        let before = reader.count
        let text = lines.append(bytes)
        let rows = try text.withUnsafeBytes { try reader.append($0) }
        if !rows.isEmpty { run.yield(rows) }
        report(since: before, to: run)
    }

    /// Yields the rows that are left when nothing follows.
    mutating func finish(to run: any RowSink) throws {
        let before = reader.count
        let text = lines.finish()
        let rows = try text.withUnsafeBytes { try reader.append($0) } + reader.finish()
        if !rows.isEmpty { run.yield(rows) }
        report(since: before, to: run)
    }

    private mutating func report(since before: Int, to run: any RowSink) {
        let mark = lines.takeMark()
        switch counting {
        case .told: mark?.report(to: run)
        case .rows(let total) where reader.count > before:
            run.progress(reader.count, of: total.map { max($0, reader.count) }, note: nil)
        case .rows: break
        }
    }
}
