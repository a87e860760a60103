/// What a command prints to standard error: its end is kept, and marks of progress are heard here, too.
struct CommandErrors {
    private let counting: CommandSource.Progress
    private var lines = ProgressLines(keepsLines: false)
    private var tail = TextTail()

    init(_ source: CommandSource) {
        counting = source.progress
    }

    /// Keeps the end of these bytes, and reports how far the command is if they tell.
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
