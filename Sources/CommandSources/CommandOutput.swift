import KeyedLists
import ListSources

/// Turns a command's output into rows: counts it, reads it, and extracts progress.
struct CommandOutput {
    private let limit: Int
    private let counting: CommandSource.Progress
    private var count = 0
    private var lines = ProgressLines(keepsLines: true)
    private var reader: RowReader

    init(_ source: CommandSource, for run: any RowSink) {
        limit = source.outputLimit
        counting = source.progress
        reader = RowReader(source.layout, of: "the output")
        reader.checksKeys = !run.checksKeys
    }

    /// Yields the rows that these bytes complete, and reports progress.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to run: any RowSink) throws {
        count += bytes.count
        guard count <= limit else {
            throw SourceError(
                message: "The command printed more than \(ByteCount.text(limit)).",
                detail: "It was ended. Reduce its output, for example with `head`, or raise `size`.")
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

/// Reads a command's standard error: keeps its end, and removes progress lines.
struct CommandErrors {
    private let counting: CommandSource.Progress
    private var lines = ProgressLines(keepsLines: false)
    private var tail = TextTail()

    init(_ source: CommandSource) {
        counting = source.progress
    }

    /// Keeps the end of these bytes, and reports progress.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to run: any RowSink) {
        lines.append(bytes).withUnsafeBytes { tail.append($0) }
        report(to: run)
    }

    /// The end of all that was printed.
    mutating func finish(to run: any RowSink) -> String {
        lines.finish().withUnsafeBytes { tail.append($0) }
        report(to: run)
        return tail.text
    }

    private mutating func report(to run: any RowSink) {
        let mark = lines.takeMark()
        if counting == .told { mark?.report(to: run) }
    }
}

/// Keeps the last bytes of a text that may be long.
struct TextTail {
    /// How many bytes are kept.
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var isCut = false

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more.suffix(Self.limit))
        isCut = isCut || more.count > Self.limit || bytes.count > Self.limit
        bytes.removeFirst(max(0, bytes.count - Self.limit))
    }

    /// The end of the text, without blanks around it; what is not UTF-8 is replaced.
    var text: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let text = String(decoding: bytes, as: UTF8.self)
        let start = text.drop { blanks.contains($0) }
        let end = start.lastIndex { !blanks.contains($0) }
        return (isCut ? "…" : "") + (end.map { start[...$0] } ?? "")
    }
}
