import Dispatch
public import KeyedLists
public import ListSources
import Locking

/// The rows of a SQLite table or query, of which only those are read that somebody looks at: for a table of millions.
///
/// ```swift
/// RefreshableList("log").windowed(
///     by: SQLiteWindows("/srv/log.db", query: "SELECT id AS key, text AS title, at AS time FROM log", by: ["-time"]))
/// ```
///
/// The rows are in the order of some columns of the result, and then of the key. **Have an index of these columns in the table**
/// (`CREATE INDEX log_by_time ON log (at, id)`): with one, a window of sixty rows costs about a millisecond, wherever it is; without
/// one, every window sorts the table.
///
/// Where the row of an index is, SQLite does not know (`OFFSET` walks there). So at the first look, and once the database has
/// changed, the order is gone through once, and some thousands of its rows are remembered: about 0.1 s for each million rows, and
/// a megabyte at most. Whoever looks at the first rows meanwhile sees them at once, and how many there are after that; once it was
/// done, nobody waits for it again.
///
/// What somebody looks for is compared as everywhere, without regard to case and accents, by a look at each row, once until the
/// database changes. What is found first is shown first, and those who look for different things take turns. Conditions and other
/// orders are refused. The rest is as with `SQLiteSource`.
public struct SQLiteWindows: WindowSource {
    /// Where the database is; relative paths begin where this process runs.
    public let path: String
    /// What is asked: one statement that reads, without an order of its own.
    public let query: String
    /// What stands in its places.
    public let parameters: SQLiteParameters
    /// By which columns of the result rows are ordered, before the key is; a minus before the name: downwards.
    public let order: [String]
    /// Which column of the result becomes which field. The key needs one, by default that named `key`.
    public let fields: FieldMapping
    /// How long a look waits for another program to unlock the database.
    public let patience: Duration

    private let file: SQLiteFile
    private let marks = SQLiteMarks()

    /// - Parameters:
    ///   - order: none: by the key alone.
    ///   - patience: for a lock, or for a change that was left half done. 5 s unless set.
    public init(
        _ path: String, query: String, by order: [String] = [], parameters: SQLiteParameters = [:],
        fields: FieldMapping = FieldMapping(), patience: Duration = .seconds(5)
    ) {
        self.path = path
        self.query = query
        self.order = order
        self.parameters = parameters
        self.fields = fields
        self.patience = patience
        file = SQLiteFile(path: path, patience: patience)
    }

    /// Reads a window.
    ///
    /// - Throws: as `SQLiteSource`; and if there is no column for the key, a row has NULL in a column of the order, or two rows have
    ///   the same key.
    public func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
        guard query.conditions.isEmpty, query.orders.isEmpty else {
            throw SourceError(message: "This list can be looked through for words, but neither filtered nor sorted.")
        }
        let ordered = try self.ordered()
        let marks = try await marks.marks(of: ordered, finding: query, for: window, in: file)
        return try await file.read { connection, _ in
            try SQLiteWindow(ordered, finding: query, on: connection).rows(in: window, by: marks)
        }
    }

    /// Finds anew where rows are, if the database has changed. Until that is done, windows are read by where they were.
    public func prepare(_ report: @escaping ProgressReport) async throws {
        try await marks.renew(for: ordered(), in: file)
    }

    /// Tells of each time that a program has written to the database, or another takes its place, or it goes.
    public func changes() -> AsyncStream<Void>? { FileWatcher.shared.changes(of: path, as: .database) }

    private func ordered() throws(SourceError) -> SQLiteOrderedQuery {
        let key: String
        switch fields.columns[.key] {
        case nil: key = "key"
        case .name(let name)?: key = name
        case let column?:
            throw SourceError(message: "The key has to be a column of the result by its name, not \(column).")
        }
        return SQLiteOrderedQuery(query, parameters, by: order, key: key, fields: fields)
    }
}
