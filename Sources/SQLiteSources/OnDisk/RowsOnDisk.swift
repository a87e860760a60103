public import KeyedLists
public import ListSources
import Locking

/// The rows of a source in a file of their own, of which only those are in memory that somebody looks at: for a list that is larger
/// than memory.
///
/// ```swift
/// RefreshableList("log").windowed(by: RowsOnDisk(FileSource("/srv/log.tsv"), in: "/var/cache/lists/log.rows"))
/// ```
///
/// A run has the source produce all rows and writes them to a file beside that one, whose place it takes at the end: until then,
/// people are shown the rows of the run before, and so they are where it fails. What is there already is shown at once after a
/// start, without being read. The file is an SQLite database, and may be removed while nobody uses it.
///
/// Words, conditions and orders are all there for whoever looks for rows. They cost a look at each row, once for each run: about a
/// second for a million rows, and what is found four bytes for each. What is found first is shown first, and those who look for
/// different things take turns. An order needs the memory for what it goes by while rows are sorted.
public struct RowsOnDisk: WindowSource {
    /// Produces the rows.
    public let source: any RowSource
    /// Where the rows are kept; relative paths begin where this process runs.
    public let path: String

    private let found = FoundRows()
    /// Whether no run of this process has written it yet.
    private let isFirst = Locked(true)

    /// - Parameters:
    ///   - source: is asked for all of its rows by each run; its pages are not.
    ///   - path: of a file that nobody else writes. Its folder is made, for this user alone, where there is none.
    public init(_ source: any RowSource, in path: String) {
        self.source = source
        self.path = path
    }

    /// Reads a window of what the last run has written.
    ///
    /// - Throws: `SourceError` where the file can't be read.
    public func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
        while let stamp = FileStamp(path: path) {
            guard !query.isEmpty else {
                return try await file.read { connection, _ in try RowsFile(connection).rows(in: window) }
            }
            if case .shown(let rows) = try await search(for: query, in: window, at: stamp) { return rows }
        }
        return WindowRows([], first: 0, total: 0)
    }

    private enum Turn {
        case shown(WindowRows?)
        /// Nothing is there to be shown.
        case over
    }

    /// Looks for rows for a turn, unless all were found.
    private func search(for query: RowQuery, in window: Window, at stamp: FileStamp) async throws -> Turn {
        let thread = found.isKnown(query, in: stamp) ? nil : found.thread
        return try await file.read(on: thread) { [found] connection, _ in
            let rows = RowsFile(connection)
            let places = try found.places(of: query, in: stamp) { try rows.look(for: query, &$0, until: window) }
            return places.suffices(for: window) ? .shown(try rows.rows(in: window, of: places)) : .over
        }
    }

    /// Has the source produce its rows, and keeps them in the place of those before.
    ///
    /// - Throws: what the source throws; `DuplicateKey`; `SourceError` where they can't be written. What was there stays then.
    public func prepare(_ report: @escaping ProgressReport) async throws {
        // What a process that was killed has left. Nobody else writes there.
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isFirst { RowsFileWriter.removeUnfinished(beside: path) }
        let writer = try RowsFileWriter(beside: path, report)
        try await source.rows(into: writer)
        try Task.checkCancellation()
        try writer.finish()
    }

    /// Tells when the source does, if it is one that notices.
    public func changes() -> AsyncStream<Void>? { (source as? any ChangingSource)?.changes() }

    private var file: SQLiteFile { SQLiteFile(path: path, patience: .seconds(5)) }
}

/// A file of rows while it is open: they are numbered from 0, in order.
private struct RowsFile {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// The rows of a window; nil where it is around a row that is not there.
    func rows(in window: Window) throws -> WindowRows? {
        let last = try select("max(place)", "")
        let total = try last.step() ? last.cell(0).integer.map { $0 + 1 } ?? 0 : 0
        guard let range = try window.range(in: total, index: place(of:)) else { return nil }
        let rows = try rows(where: "place >= \(range.lowerBound) AND place < \(range.upperBound)").map(\.row)
        return WindowRows(rows, first: range.lowerBound, total: total)
    }

    /// The rows of a window on those at some places.
    func rows(in window: Window, of found: FoundRows.Places) throws -> WindowRows? {
        let range = try window.range(in: found.places.count) { key in
            try place(of: key).flatMap { found.places.firstIndex(of: UInt32($0)) }
        }
        guard let range else { return nil }
        let wanted = found.places[range]
        let rows = try rows(where: "place IN (\(wanted.map(String.init).joined(separator: ",")))")
        let byPlace = Dictionary(uniqueKeysWithValues: rows.map { ($0.place, $0.row) })
        return WindowRows(
            wanted.compactMap { byPlace[Int($0)] }, first: range.lowerBound, total: found.places.count,
            isSearching: found.next != nil)
    }

    /// Looks for rows at those that nobody has looked at, for a turn. Those that are to be sorted are all looked at in one.
    func look(for query: RowQuery, _ found: inout FoundRows.Places, until window: Window) throws {
        guard let next = found.next else { return }
        var turn = SearchTurn(for: window, having: found.count)
        let statement = try select("place, fields", "WHERE place >= \(next) ORDER BY place")
        var ranked: [(key: [UInt8], place: UInt32)] = []
        while try statement.step() {
            // Of most rows nobody wants to know it.
            var place: UInt32 { UInt32(statement.cell(0).integer ?? 0) }
            if query.orders.isEmpty, turn.isOver(having: found.count) {
                found.next = place
                return
            }
            let bytes = statement.cell(1).bytes
            guard query.mayWant(bytes), let key = query.sortKey(of: Fields(canonical: Array(bytes))) else { continue }
            if query.orders.isEmpty { found.places.append(place) } else { ranked.append((key, place)) }
        }
        found.next = nil
        ranked.sort { $0.key == $1.key ? $0.place < $1.place : $0.key.lexicographicallyPrecedes($1.key) }
        found.places += ranked.map(\.place)
    }

    private func place(of key: Key) throws -> Int? {
        let statement = try select("place", "WHERE key = ?")
        try statement.bind([.text(key.string)])
        return try statement.step() ? statement.cell(0).integer : nil
    }

    private func rows(where condition: String) throws -> [(place: Int, row: ListRow)] {
        let statement = try select("place, key, fields", "WHERE \(condition) ORDER BY place")
        var rows: [(place: Int, row: ListRow)] = []
        while try statement.step() {
            let key = Key(String(decoding: statement.cell(1).bytes, as: UTF8.self))
            let fields = Fields(canonical: Array(statement.cell(2).bytes))
            if let place = statement.cell(0).integer { rows.append((place, ListRow(key: key, fields: fields))) }
        }
        return rows
    }

    private func select(_ columns: String, _ rest: String) throws -> SQLiteStatement {
        try SQLiteStatement("SELECT \(columns) FROM rows \(rest)", on: connection)
    }
}
