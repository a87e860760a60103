import KeyedLists
public import ListSources
import PostgresConnections

/// Rows from a query on a PostgreSQL server, read again when the database says that they have changed.
///
/// ```swift
/// PostgresSource(
///     "postgres://shop@db.example.org/shop", query: "SELECT id AS key, item AS title FROM orders WHERE state = $1",
///     parameters: ["open"], listen: "orders")
/// ```
///
/// Each run has a connection of its own and one transaction that can only read: it sees one state of the database. Rows are
/// made as the server gives them, so a large result needs no memory of its own; a query is ended when its run is.
///
/// Without fields, a column named `title`, `key`, `subtitle` and so on is that field; where none is named `title`, the first
/// column is the title and the second the subtitle. A field is a text as PostgreSQL writes it, times in ISO 8601 and UTC;
/// `bool` is true or false, NULL is a field that is not there, and a `bytea` of up to 64 bytes is hexadecimal; a larger one is
/// an error, unless nobody asks for it.
public struct PostgresSource: ChangingSource {
    /// Where the server is. It may have a password.
    public let url: String
    /// What is asked: one statement that reads.
    public let query: String
    /// What stands for `$1`, `$2` and so on, as texts whose types the server infers; nil for NULL.
    public let parameters: [String?]
    /// The channel of whose NOTIFY each is a reason to read again; nil: none.
    public let listen: String?
    /// Which column of the result becomes which field.
    public let fields: FieldMapping
    /// Which rows are shown, and in which order. What SQL can do, it does sooner.
    public let selection: RowSelection
    /// The maximum size of the result, in bytes. Columns that are not used do not count.
    public let limit: Int
    /// How long a run waits for a lock.
    public let patience: Duration

    /// - Parameters:
    ///   - url: of the server and database, such as `postgres://shop@db.example.org/shop`, with several hosts if need be. What
    ///     it leaves out is libpq's: `PGPASSFILE`, `PGUSER`, `sslmode`. Its password is in no error and no log.
    ///   - limit: in bytes; a larger result fails. 64 MiB unless set.
    ///   - patience: 5 s unless set, in milliseconds.
    public init(
        _ url: String, query: String, parameters: [String?] = [], listen: String? = nil,
        fields: FieldMapping = FieldMapping(), selection: RowSelection = RowSelection(), limit: Int = 64 << 20,
        patience: Duration = .seconds(5)
    ) {
        self.url = url
        self.query = query
        self.parameters = parameters
        self.listen = listen
        self.fields = fields
        self.selection = selection
        self.limit = limit
        self.patience = patience
    }

    /// Why a text is no URL of a server; nil: it is one.
    package static func fault(inURL url: String) -> String? {
        do { _ = try PostgresAddress(url) } catch .noAddress(let reason) { return reason } catch { return "\(error)" }
        return nil
    }

    /// Runs the query once and yields its rows as they come.
    ///
    /// - Throws: `SourceError` if the URL can't be read; if the server can't be reached or does not let us in; if the query is faulty, is more than one
    ///   statement, or would change the database; and if its result lacks a column or can't be shown.
    public func rows(into run: any RowSink) async throws {
        var address: PostgresAddress?
        do {
            let known = try PostgresAddress(url)
            address = known
            let connection = try await PostgresConnection.open(known)
            defer { connection.close() }
            try await withTaskCancellationHandler {
                if listen != nil, try await connection.isPooled() { throw Self.pooled(known) }
                try await read(by: connection, into: run)
            } onCancel: {
                connection.close()
            }
        } catch let error as PostgresError {
            throw PostgresProblem(error, at: address, query: query).explanation
        }
    }

    /// A channel is listened to in vain by a connection that others are given meanwhile.
    private static func pooled(_ address: PostgresAddress) -> SourceError {
        SourceError(
            message: "The database can't say when it changes.",
            detail: "Cannot listen at \(address): a pooler such as PgBouncer answers there, which shares connections "
                + "between clients. Name the database itself, or take `every` in place of `listen`.")
    }

    private func read(by connection: PostgresConnection, into run: any RowSink) async throws {
        // By SET LOCAL, so that it holds for this transaction behind a pooler, too.
        try await connection.run(
            """
            BEGIN READ ONLY; SET LOCAL DateStyle = ISO; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = iso_8601; \
            SET LOCAL bytea_output = hex; SET LOCAL lock_timeout = \(patience / .milliseconds(1))
            """)
        let (results, continuation) = AsyncThrowingStream.makeStream(of: PostgresResultReader.Result.self)
        connection.send(query, parameters, to: PostgresResultReader(self, continuation))
        var builder: RowBuilder?
        for try await result in results {
            switch result {
            case .columns(let made): builder = made
            case .records(let records):
                var rows: [ListRow] = []
                for record in records { if let row = try builder?.add(record) { rows.append(row) } }
                if !rows.isEmpty { run.yield(rows) }
            }
            if builder?.isFull == true { break }
        }
        guard var builder else {
            try Task.checkCancellation()
            throw SourceError(message: "The query has no result: a SELECT is expected.")
        }
        let rows = builder.finish()
        if !rows.isEmpty { run.yield(rows) }
    }

    /// Tells of each NOTIFY on the channel `listen`, and of each time that the connection was lost and is there again: what was
    /// told meanwhile was missed. Nothing where there is no channel.
    public func changes() -> AsyncStream<Void> {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // The next run says what is wrong with an address.
        guard let listen, let address = try? PostgresAddress(url) else {
            continuation.finish()
            return changes
        }
        let following = Task { await PostgresListener(address: address, channel: listen).follow(continuation) }
        continuation.onTermination = { _ in following.cancel() }
        return changes
    }
}
