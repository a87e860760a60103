import KeyedLists

/// Rows from a file, read again when it changes.
///
/// ```swift
/// FileSource("/srv/people.csv")
/// ```
///
/// A file that is half written is not shown: one that somebody has open to write it is waited for, and read whole once
/// it is closed or another was renamed into its place. Writers need no precautions, but for pauses: on a file that is not
/// this process's user's, or not on Linux, a writer who pauses for half a second counts as done.
public struct FileSource: ChangingSource {
    /// Where it is; relative paths begin where this process runs.
    public let path: String
    /// How it becomes rows.
    public let layout: RowLayout
    /// Whether programs append lines to it and keep it open: then it is read up to its last complete line.
    public let grows: Bool
    /// The most that is read, in bytes.
    public let limit: Int
    private let patience: Duration

    /// - Parameters:
    ///   - layout: nil: by the file's name (`.json`, `.jsonl`, `.csv`, `.tsv`), else `lines`.
    ///   - grows: for a log. Not for `json`, whose documents are whole or nothing.
    ///   - limit: in bytes; a larger file fails. 64 MiB unless set.
    ///   - patience: how long a run waits for a file that is being written. 10 s unless set.
    public init(
        _ path: String, layout: RowLayout? = nil, grows: Bool = false, limit: Int = 64 << 20,
        patience: Duration = .seconds(10)
    ) {
        self.path = path
        self.layout = layout ?? RowLayout(RowFormat(fileName: path) ?? .lines)
        self.grows = grows
        self.limit = limit
        self.patience = patience
    }

    /// Reads the file once and yields its rows.
    ///
    /// - Throws: `SourceError` if it is not there, may not be read, is no file, is too large, is written for longer than
    ///   is waited for, or is not what its format is.
    public func rows(into run: any RowSink) async throws { try await read(into: run) }

    /// Tells of each time that the file is written and closed, or another takes its place, or it goes.
    public func changes() -> AsyncStream<Void> { whole.changes() }

    private var whole: WholeFile { WholeFile(path, limit: limit, grows: grows, patience: patience) }

    @concurrent
    private func read(into run: any RowSink) async throws {
        var rest = try await whole.bytes()[...]
        var reader = RowReader(layout, of: "the file")
        reader.checksKeys = !run.checksKeys
        while !rest.isEmpty {
            try Task.checkCancellation()
            let rows = try rest.prefix(1 << 16).withUnsafeBytes { try reader.append($0) }
            if !rows.isEmpty { run.yield(rows) }
            rest = rest.dropFirst(1 << 16)
        }
        let last = try reader.finish()
        if !last.isEmpty { run.yield(last) }
    }
}

/// A file that is read and watched as a whole: never half written, and reported when it changes.
package struct WholeFile: Sendable {
    private let path: String
    private let limit: Int
    private let grows: Bool
    private let patience: Duration

    /// - Parameters:
    ///   - limit: the most that is read, in bytes.
    ///   - grows: whether others add lines to it and keep it open: then it is read up to its last whole line.
    ///   - patience: how long it may be written while it is waited for.
    package init(_ path: String, limit: Int, grows: Bool = false, patience: Duration = .seconds(10)) {
        self.path = path
        self.limit = limit
        self.grows = grows
        self.patience = patience
    }

    /// Its content, once no process writes it.
    ///
    /// - Throws: `SourceError`; `CancellationError`.
    package func bytes() async throws -> [UInt8] {
        let reading = FileReading(path: path, limit: limit, grows: grows)
        var waited = Duration.zero
        while true {
            if case .whole(let bytes) = try reading.attempt() { return bytes }
            guard waited < patience else {
                throw SourceError(message: "The file is still being written.", detail: "It is \(path).")
            }
            try await Task.sleep(for: .milliseconds(50))
            waited += .milliseconds(50)
        }
    }

    /// An element for each time that it was written and closed, or another took its place, or it went.
    package func changes() -> AsyncStream<Void> { FileWatcher.shared.changes(of: path, as: grows ? .growing : .whole) }
}
