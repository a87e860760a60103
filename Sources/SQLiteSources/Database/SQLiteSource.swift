import KeyedLists
public import ListSources

/// Rows from a query on a SQLite database, read again when the database changes.
///
/// ```swift
/// SQLiteSource(
///     "/srv/shop.db", query: "SELECT id AS key, item AS title FROM orders WHERE state = :state ORDER BY placed DESC",
///     parameters: ["state": "open"])
/// ```
///
/// The database is opened for each run, read only, and closed again. A run sees one state of it, never half a
/// transaction, and waits for who has locked it. Rows are made as the query gives them, so a large result needs no
/// memory of its own; a query is broken off when its run is.
///
/// Without fields, a column named `title`, `key`, `subtitle` and so on is that field; where none is named `title`, the
/// first column is the title and the second the subtitle. A field is a text: whole numbers keep all their digits, other
/// numbers are as short as can be, NULL is a field that is not there, and a BLOB of up to 64 bytes is hexadecimal; a
/// larger one is an error, unless nobody asks for it. SQLite has no dates: for `time`, a text in ISO 8601 (as
/// `datetime()` and `CURRENT_TIMESTAMP` give, in UTC), or seconds or milliseconds since 1970.
public struct SQLiteSource: ChangingSource {
    /// Where the database is; relative paths begin where this process runs.
    public let path: String
    /// What is asked: one statement that reads.
    public let query: String
    /// What stands in its places.
    public let parameters: SQLiteParameters
    /// Which column of the result becomes which field.
    public let fields: FieldMapping
    /// Which rows are shown, and in which order. What SQL can do, it does sooner.
    public let selection: RowSelection
    /// The maximum size of the result, in bytes. Columns that are not used do not count.
    public let limit: Int
    /// How long a run waits for another program to unlock the database.
    public let patience: Duration

    /// - Parameters:
    ///   - limit: in bytes; a larger result fails. 64 MiB unless set.
    ///   - patience: for a lock, or for a change that was left half done. 5 s unless set.
    public init(
        _ path: String, query: String, parameters: SQLiteParameters = [:], fields: FieldMapping = FieldMapping(),
        selection: RowSelection = RowSelection(), limit: Int = 64 << 20, patience: Duration = .seconds(5)
    ) {
        self.path = path
        self.query = query
        self.parameters = parameters
        self.fields = fields
        self.selection = selection
        self.limit = limit
        self.patience = patience
    }

    /// Runs the query once and yields its rows as they come.
    ///
    /// - Throws: `SourceError` if there is no such file, it is no database, is locked or left amid a change for longer than
    ///   `patience`, or is damaged; if the query is faulty, is more than one statement, or would change the database; and
    ///   if its result lacks a column or can't be shown.
    public func rows(into run: any RowSink) async throws {
        let reading = SQLiteReading(source: self)
        try await SQLiteFile(path: path, patience: patience).read { try reading.read($0, $1, into: run) }
    }

    /// Tells of each time that a program has written to the database, or another takes its place, or it goes.
    public func changes() -> AsyncStream<Void> { FileWatcher.shared.changes(of: path, as: .database) }
}

/// One run of a query, from its first row to its last.
struct SQLiteReading: Sendable {
    /// Rows are handed over so many at a time at most, and none is held back for longer than this.
    private static let batch = 512
    private static let pause = Duration.milliseconds(50)

    let source: SQLiteSource

    /// Hands all rows over.
    func read(_ connection: SQLiteConnection, _ interrupt: SQLiteInterrupt, into run: any RowSink) throws {
        let statement = try SQLiteStatement(source.query, on: connection)
        try statement.bind(source.parameters)
        let names = statement.columnNames
        var maker = try RowBuilder(
            columns: names, fields: source.fields, selection: source.selection, of: "the result")
        maker.checksKeys = !run.checksKeys
        var cells = SQLiteCells(names: names, used: maker.usedColumns, limit: source.limit)
        var rows: [ListRow] = []
        var handedOver: ContinuousClock.Instant?
        while !maker.isFull, try statement.step() {
            guard !interrupt.isRequested else { throw CancellationError() }
            guard let row = try maker.add(try cells.record(of: statement)) else { continue }
            rows.append(row)
            let now = ContinuousClock.now
            guard rows.count >= Self.batch || handedOver.map({ now - $0 >= Self.pause }) ?? true else { continue }
            run.yield(rows)
            rows.removeAll(keepingCapacity: true)
            handedOver = now
        }
        rows += maker.finish()
        if !rows.isEmpty { run.yield(rows) }
    }
}

/// Takes the cells that are used off each row of a result, and counts what they weigh.
struct SQLiteCells {
    let names: [String]
    /// Counted from 0.
    let used: [Int]
    /// In bytes.
    let limit: Int
    private var number = 0
    private var size = 0

    init(names: [String], used: [Int], limit: Int) {
        self.names = names
        self.used = used
        self.limit = limit
    }

    mutating func record(of statement: SQLiteStatement) throws(SourceError) -> Record {
        number += 1
        var cells = [String?](repeating: nil, count: names.count)
        for column in used {
            cells[column] = try text(statement.cell(column), column)
            size += cells[column]?.utf8.count ?? 0
        }
        guard size <= limit else {
            throw SourceError(
                message: "The result is larger than \(ByteCount.text(limit)).", detail: "Ask for fewer rows.")
        }
        return Record(place: .number(number), content: .values(cells))
    }

    private func text(_ cell: SQLiteCell, _ column: Int) throws(SourceError) -> String? {
        do {
            return try cell.text()
        } catch {
            let place = "Row \(number) of the result has in column \(names[column])"
            switch error {
            case .noText: throw SourceError(message: "\(place) what is not UTF-8 text.")
            case .text(let count):
                throw SourceError(
                    message: "\(place) a text of \(count) bytes. \(SQLiteCell.textLimit) are read at most.")
            case .blob(let count):
                throw SourceError(
                    message: "\(place) a BLOB of \(count) bytes. \(SQLiteCell.blobLimit) are shown at most.",
                    detail: "CAST(\(names[column]) AS TEXT) makes a text of it, if it is one.")
            }
        }
    }
}
