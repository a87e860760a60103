import Dispatch
import KeyedLists

/// Rows from a query on a SQLite database, read anew when the database changes.
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
    /// The most that is read of the result, in bytes. Columns that nobody asks for do not count.
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
        let interrupt = SQLiteInterrupt(patience: patience)
        let reading = SQLiteReading(source: self, interrupt: interrupt)
        // On a thread of its own: a query holds the one that it runs on, and the pool has few.
        let thread = DispatchQueue(label: "SQLiteSource")
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                thread.async { continuation.resume(with: Result { try reading.read(into: run) }) }
            }
        } onCancel: {
            interrupt.request()
        }
    }

    /// Tells of each time that a program has written to the database, or another takes its place, or it goes.
    public func changes() -> AsyncStream<Void> { FileWatcher.shared.changes(of: path, as: .database) }
}
