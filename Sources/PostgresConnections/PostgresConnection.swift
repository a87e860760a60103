import CPostgres
import Dispatch
import EventLoops
import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A connection to a PostgreSQL server, by libpq on a libuv loop: statements in their order, rows as they come, and what is
/// told by NOTIFY.
///
///     open ──▶ idle ──send──▶ busy ──rows … end──▶ idle          cancel, close, or the server ends: over
///
/// All of it happens on one loop's thread. A thousand statements that think are a thousand sockets, and no work. Whoever opens
/// one closes it: until then the loop holds it.
package final class PostgresConnection: @unchecked Sendable {
    /// What hears of a statement, on the loop's thread.
    package protocol Receiver: AnyObject, Sendable {
        /// Its columns are known; before the first row, and also where there is none.
        func columns(_ columns: [PostgresColumn]) throws
        /// One row. What this or `columns` throws ends the connection, and is what `ended` gets.
        func row(_ row: PostgresRow) throws
        /// No more has come so far. Not told after the last row.
        func paused()
        /// It is over. Once, and last.
        func ended(_ error: (any Error)?)
    }

    private struct Request {
        let text: String
        /// Nil: several statements without values, of whose results nobody wants any.
        let values: [String?]?
        let receiver: any Receiver
    }

    private static let loop = EventLoop()

    // All that follows is on the loop's thread alone.
    private var handle: OpaquePointer?
    private var poll: SocketPoll?
    private var waiting: [Request] = []
    private var current: Request?
    private var hasColumns = false
    /// Why the current statement fails, once its results are all read.
    private var failure: (any Error)?
    private var notified: (@Sendable (_ channel: String) -> Void)?
    private var lost: (@Sendable (PostgresError) -> Void)?

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        PQsetnonblocking(handle, 1)
        // Else libpq prints the server's notices.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    /// Does something on the thread of all connections, in the order of the calls.
    private func post(_ job: @escaping @Sendable () -> Void) { Self.loop.post(job) }
}

// MARK: Opening

extension PostgresConnection {
    /// Connects. Tries the hosts one after the other, each for `connect_timeout` (10 s, unless the URL says another).
    ///
    /// On a thread of its own: libpq waits for the answer to a name that it looks up (getaddrinfo), also between hosts.
    ///
    /// - Throws: `PostgresError.notConnected`; `CancellationError` at once where the task is cancelled meanwhile.
    package static func open(_ address: PostgresAddress) async throws -> PostgresConnection {
        let pending = PendingResult<PostgresConnection>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.wait(continuation) else { return }
                DispatchQueue(label: "PostgresConnection").async {
                    let result = Result { try connect(address) as PostgresConnection }
                    if let continuation = pending.take() { return continuation.resume(with: result) }
                    // Nobody waits any more.
                    if case .success(let connection) = result { connection.close() }
                }
            }
        } onCancel: {
            pending.take()?.resume(throwing: CancellationError())
        }
    }

    private static func connect(_ address: PostgresAddress) throws(PostgresError) -> PostgresConnection {
        // Later ones override earlier ones: what stands before the URL are defaults.
        let options = [
            ("connect_timeout", "10"), ("tcp_user_timeout", "15000"), ("keepalives_idle", "30"),
            ("fallback_application_name", "refreshable"), ("dbname", address.url), ("client_encoding", "UTF8"),
        ]
        let texts = options.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in texts {
                free(name)
                free(value)
            }
        }
        let handle = PQconnectdbParams(
            texts.map { UnsafePointer($0.0) } + [nil], texts.map { UnsafePointer($0.1) } + [nil], 1)
        guard let handle else { throw .notConnected("out of memory", password: .notWanted) }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            let password: PostgresError.PasswordUse =
                PQconnectionNeedsPassword(handle) != 0
                ? .missing : PQconnectionUsedPassword(handle) != 0 ? .given : .notWanted
            throw .notConnected(message(of: handle), password: password)
        }
        let connection = PostgresConnection(handle)
        connection.post { [connection] in connection.begin() }
        return connection
    }

    private func begin() {
        guard let handle else { return }
        poll = SocketPoll(PQsocket(handle), on: Self.loop) { [self] in ready($0) }
        poll?.wait(for: .readable)
        startNext()
    }

    /// libpq's message about its last call, in one line.
    private static func message(of handle: OpaquePointer) -> String {
        String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    }
}

// MARK: Asking

extension PostgresConnection {
    /// Sends a statement after those sent before. From any thread.
    ///
    /// - Parameter values: for `$1`, `$2` …, as texts whose types the server infers; nil for NULL.
    package func send(_ text: String, _ values: [String?] = [], to receiver: any Receiver) {
        post { [self] in add(Request(text: text, values: values, receiver: receiver)) }
    }

    /// Sends several statements as one, which are one transaction unless they say otherwise. Rows are not told.
    package func run(_ text: String, to receiver: any Receiver) {
        post { [self] in add(Request(text: text, values: nil, receiver: receiver)) }
    }

    /// Runs several statements as one, and waits for their end.
    ///
    /// - Throws: `PostgresError`. A cancelled task waits no longer than the connection is open: close it.
    package func run(_ text: String) async throws {
        try await withCheckedThrowingContinuation { continuation in run(text, to: StatementWaiter(continuation)) }
    }

    /// From now on, hears of what is told to channels that were listened to, and of the connection's end.
    package func listen(
        _ notified: @escaping @Sendable (_ channel: String) -> Void, lost: @escaping @Sendable (PostgresError) -> Void
    ) {
        post { [self] in
            guard handle != nil else { return lost(.lost("the connection is closed")) }
            self.notified = notified
            self.lost = lost
        }
    }

    /// Ends it, and asks the server to end what it does for us. From any thread; a second call does nothing.
    package func close() { post { [self] in end(because: CancellationError(), PostgresError.lost("it was closed")) } }

    /// A name as SQL has it, whatever is in it. One with a zero byte is refused when it is sent.
    package static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    private func add(_ request: Request) {
        guard handle != nil else { return request.receiver.ended(PostgresError.lost("the connection is closed")) }
        // Its texts end at one, so the rest would be left out.
        guard ([request.text] + (request.values ?? []).compactMap(\.self)).allSatisfy({ !$0.utf8.contains(0) }) else {
            let message = "a text has a zero byte, which PostgreSQL does not take"
            return request.receiver.ended(PostgresError.refused(.init(state: "22021", message: message)))
        }
        waiting.append(request)
        startNext()
    }

    private func startNext() {
        guard current == nil, poll != nil, let handle, !waiting.isEmpty else { return }
        let request = waiting.removeFirst()
        current = request
        hasColumns = false
        failure = nil
        guard send(request, by: handle) else { return lose() }
        flush()
    }

    private func send(_ request: Request, by handle: OpaquePointer) -> Bool {
        guard let values = request.values else { return PQsendQuery(handle, request.text) == 1 }
        let texts = values.map { $0.map { strdup($0) } ?? nil }
        defer { for text in texts { free(text) } }
        let isSent = PQsendQueryParams(
            handle, request.text, Int32(values.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
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
    private func ready(_ events: SocketPoll.Readiness) {
        guard let handle else { return }
        if events.contains(.readable), PQconsumeInput(handle) == 0 { return lose() }
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
        guard let request = current, failure == nil else { return }
        switch PQresultStatus(result) {
        case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
            guard request.values != nil else { return }
            do {
                if !hasColumns { try request.receiver.columns(PostgresColumn.all(of: result)) }
                hasColumns = true
                for row in 0..<PQntuples(result) { try request.receiver.row(PostgresRow(result, row)) }
            } catch {
                end(because: error, PostgresError.lost("it was closed"))
            }
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
        case PGRES_FATAL_ERROR: failure = PostgresError.refused(.init(result))
        default:
            let refusal = PostgresError.Refusal(state: "0A000", message: "COPY is not spoken here")
            end(because: PostgresError.refused(refusal), PostgresError.lost("it was closed"))
        }
    }

    private func finish() {
        let (request, failure) = (current, failure)
        current = nil
        request?.receiver.ended(failure)
        startNext()
    }

    private func takeNotifications() {
        while let handle, let notification = PQnotifies(handle) {
            notified?(String(cString: notification.pointee.relname))
            PQfreemem(notification)
        }
    }
}

// MARK: Ending

extension PostgresConnection {
    private func lose() {
        guard let handle else { return }
        let error = PostgresError.lost(Self.message(of: handle))
        end(because: failure ?? error, error)
    }

    /// - Parameter reason: of the statement under way; those that wait are told of `loss`.
    private func end(because reason: any Error, _ loss: PostgresError) {
        guard let handle else { return }
        if current != nil, PQstatus(handle) == CONNECTION_OK { cancel(handle) }
        poll?.end()
        poll = nil
        self.handle = nil
        PQfinish(handle)
        let (request, others) = (current, waiting)
        (current, waiting) = (nil, [])
        request?.receiver.ended(reason)
        for other in others { other.receiver.ended(loss) }
        lost?(loss)
        (notified, lost) = (nil, nil)
    }

    /// Asks the server to end the statement, or it would go on until it has something to say. By another connection, which
    /// libpq waits for: on a thread of its own.
    private func cancel(_ handle: OpaquePointer) {
        guard let cancel = PQgetCancel(handle) else { return }
        nonisolated(unsafe) let canceller = cancel
        DispatchQueue(label: "PostgresConnection.cancel").async {
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(canceller, &message, Int32(message.count))
            PQfreeCancel(canceller)
        }
    }
}
