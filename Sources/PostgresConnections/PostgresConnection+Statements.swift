import CPostgres
import DequeModule
import EventLoops

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a server is asked, and who hears of it.
struct PostgresStatement {
    enum Parameters {
        /// Several statements without values, of whose results nobody wants any.
        case script
        /// Texts whose types the server infers; nil for NULL. Results are texts.
        case texts([String?])
        /// Values whose types are known. The statement is prepared once for the connection. Results are binary.
        case values([PostgresValue])
    }

    let text: String
    let parameters: Parameters
    let receiver: any PostgresConnection.Receiver

    /// A text of it with a zero byte would be cut off there.
    var hasZeroByte: Bool {
        guard case .texts(let values) = parameters else { return text.utf8.contains(0) }
        return ([text] + values.compactMap(\.self)).contains { $0.utf8.contains(0) }
    }
}

// MARK: Asking

extension PostgresConnection {
    /// Sends a statement after those sent before. From any thread.
    ///
    /// - Parameter values: for `$1`, `$2` …, as texts whose types the server infers; nil for NULL.
    package func send(_ text: String, _ values: [String?] = [], to receiver: any Receiver) {
        post { [self] in add(PostgresStatement(text: text, parameters: .texts(values), receiver: receiver)) }
    }

    /// Sends a statement that is sent often: the server reads and plans it once for this connection. Its rows are binary.
    package func send(_ text: String, values: [PostgresValue], to receiver: any Receiver) {
        post { [self] in add(PostgresStatement(text: text, parameters: .values(values), receiver: receiver)) }
    }

    /// Sends a statement that is sent often, and waits for its rows.
    ///
    /// - Parameter read: makes something of a row, on the connection's thread. What it throws ends the connection.
    /// - Throws: `PostgresError`, or what `read` throws. A cancelled task waits no longer than the connection is open.
    package func rows<Element: Sendable>(
        _ text: String, _ values: [PostgresValue] = [], read: @escaping @Sendable (PostgresRow) throws -> Element
    ) async throws -> [Element] {
        try await withCheckedThrowingContinuation { continuation in
            send(text, values: values, to: RowCollector(read, continuation))
        }
    }

    /// Sends a statement that is sent once, and waits for its rows, whose values are texts.
    ///
    /// It is one transaction, whoever answers, where a prepared one is two, and in the transaction mode of a pooler would be asked of
    /// a server that does not know it.
    ///
    /// - Throws: as `rows(_:_:read:)`.
    package func rowsOnce<Element: Sendable>(
        _ text: String, _ values: [String?] = [], read: @escaping @Sendable (PostgresRow) throws -> Element
    ) async throws -> [Element] {
        try await withCheckedThrowingContinuation { continuation in
            send(text, values, to: RowCollector(read, continuation))
        }
    }

    /// Whether a pooler such as PgBouncer answers in the place of the server, by which others may be given this connection: what it
    /// said of the server's process is not what the server says.
    ///
    /// - Throws: `PostgresError`.
    package func isPooled() async throws -> Bool {
        try await rowsOnce("SELECT pg_backend_pid()") { $0.text(0) } != ["\(process)"]
    }

    /// Sends several statements as one, which are one transaction unless they say otherwise. Rows are not told.
    package func run(_ text: String, to receiver: any Receiver) {
        post { [self] in add(PostgresStatement(text: text, parameters: .script, receiver: receiver)) }
    }

    /// Runs several statements as one, and waits for their end.
    ///
    /// - Throws: `PostgresError`. A cancelled task waits no longer than the connection is open: close it.
    package func run(_ text: String) async throws {
        try await withCheckedThrowingContinuation { continuation in run(text, to: StatementWaiter(continuation)) }
    }

    /// From now on, hears of what is told to channels that were listened to, and of the connection's end.
    package func listen(
        _ notified: @escaping @Sendable (_ channel: String, _ payload: String) -> Void,
        lost: @escaping @Sendable (PostgresError) -> Void
    ) {
        post { [self] in
            guard handle != nil else { return lost(.lost("the connection is closed")) }
            self.notified = notified
            self.lost = lost
        }
    }

    /// A name as SQL has it, whatever is in it. One with a zero byte is refused when it is sent.
    package static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    private func add(_ statement: PostgresStatement) {
        guard handle != nil else { return statement.receiver.ended(PostgresError.lost("the connection is closed")) }
        guard !statement.hasZeroByte else {
            let message = "a text has a zero byte, which PostgreSQL does not take"
            return statement.receiver.ended(PostgresError.refused(.init(state: "22021", message: message)))
        }
        waiting.append(statement)
        startNext()
    }

    func startNext() {
        guard current == nil, poll != nil, let handle, let statement = waiting.popFirst() else { return }
        current = statement
        hasColumns = false
        failure = nil
        isPreparing = false
        guard send(statement, by: handle) else { return lose() }
        flush()
    }

    private func send(_ statement: PostgresStatement, by handle: OpaquePointer) -> Bool {
        let isSent: Int32
        switch statement.parameters {
        case .script: return PQsendQuery(handle, statement.text) == 1
        case .texts(let values):
            let texts = values.map { $0.map { strdup($0) } ?? nil }
            defer { for text in texts { free(text) } }
            isSent = PQsendQueryParams(
                handle, statement.text, Int32(values.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
        case .values(let values):
            guard let name = prepared[statement.text] else {
                isPreparing = true
                let types = values.map(\.type)
                return PQsendPrepare(handle, "s\(prepared.count)", statement.text, Int32(types.count), types) == 1
            }
            isSent = values.withPointers { pointers, lengths in
                let formats = [Int32](repeating: 1, count: values.count)
                return PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
            }
        }
        return isSent == 1 && PQsetSingleRowMode(handle) == 1
    }

    private func flush() {
        guard let handle, let poll else { return }
        switch PQflush(handle) {
        case 0: poll.wait(for: .readable)
        case 1: poll.wait(for: [.readable, .writable])
        default: lose()
        }
    }
}

// MARK: Hearing

extension PostgresConnection {
    func ready(_ events: SocketPoll.Readiness) {
        guard let handle else { return }
        if events.contains(.readable) {
            guard PQconsumeInput(handle) != 0 else { return lose() }
            heardAt = .now
        }
        if events.contains(.writable) { flush() }
        takeResults()
        if self.handle != nil { current?.receiver.paused() }
        takeNotifications()
    }

    private func takeResults() {
        while let handle, current != nil, PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle) else {
                if PQstatus(handle) == CONNECTION_BAD { return lose() }
                finish()
                continue
            }
            defer { PQclear(result) }
            take(result)
        }
    }

    private func take(_ result: OpaquePointer) {
        guard let statement = current, failure == nil else { return }
        switch PQresultStatus(result) {
        case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
            if case .script = statement.parameters { return }
            do {
                if !hasColumns { try statement.receiver.columns(PostgresColumn.all(of: result)) }
                hasColumns = true
                for row in 0..<PQntuples(result) { try statement.receiver.row(PostgresRow(result, row)) }
            } catch {
                end(because: error)
            }
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
        case PGRES_FATAL_ERROR: failure = PostgresError.refused(.init(result))
        default: end(because: PostgresError.refused(.init(state: "0A000", message: "COPY is not spoken here")))
        }
    }

    /// What comes of the statement under way is of no use to anybody.
    private func end(because error: any Error) {
        if let handle, PQstatus(handle) == CONNECTION_OK { cancel(handle) }
        end(because: error, PostgresError.lost("it was closed"))
    }

    private func finish() {
        guard let statement = current, let handle else { return }
        if isPreparing, failure == nil {
            isPreparing = false
            prepared[statement.text] = "s\(prepared.count)"
            return send(statement, by: handle) ? flush() : lose()
        }
        current = nil
        statement.receiver.ended(failure)
        startNext()
    }

    private func takeNotifications() {
        while let handle, let notification = PQnotifies(handle) {
            notified?(String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
    }
}
