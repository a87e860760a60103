import CPostgres
import DequeModule
import Dispatch
package import EventLoops
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

    /// The loop of all who name none.
    package static let sharedLoop = EventLoop()
    /// How many are being opened, each by a thread that is in libpq.
    private static let openingCount = Locked(0)

    /// The number of the server's process, as it said when it was connected: a pooler says one of its own.
    package let process: Int32
    /// On whose thread all of it happens.
    package let loop: EventLoop
    // All that follows is on the loop's thread alone.
    var handle: OpaquePointer?
    var poll: SocketPoll?
    var waiting: Deque<PostgresStatement> = []
    var current: PostgresStatement?
    /// When something came from the server last. On the loop's thread alone.
    package internal(set) var heardAt = ContinuousClock.now
    var hasColumns = false
    /// Whether the current statement is being prepared, and is then sent.
    var isPreparing = false
    /// Why the current statement fails, once its results are all read.
    var failure: (any Error)?
    /// The names under which statements were prepared, by their text.
    var prepared: [String: String] = [:]
    var notified: (@Sendable (_ channel: String, _ payload: String) -> Void)?
    var lost: (@Sendable (PostgresError) -> Void)?

    private init(_ handle: OpaquePointer, on loop: EventLoop) {
        self.handle = handle
        self.loop = loop
        process = PQbackendPID(handle)
        PQsetnonblocking(handle, 1)
        // Else libpq prints the server's notices.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    /// Whether it has not ended. On the loop's thread alone.
    package var isOpen: Bool { handle != nil }

    /// Does something on the connection's thread, in the order of the calls.
    func post(_ job: @escaping @Sendable () -> Void) { loop.post(job) }
}

// MARK: Opening

extension PostgresConnection {
    /// Connects. Tries the hosts one after the other, each for `connect_timeout` (10 s, unless the URL says another).
    ///
    /// On a thread of its own: libpq waits for the answer to a name that it looks up (getaddrinfo), also between hosts.
    ///
    /// - Parameters:
    ///   - loop: on whose thread all of it happens.
    ///   - defaults: parameters of libpq, for what the URL leaves out.
    /// - Throws: `PostgresError.notConnected`; `CancellationError` at once where the task is cancelled meanwhile.
    package static func open(
        _ address: PostgresAddress, on loop: EventLoop = sharedLoop, defaults: [String: String] = [:]
    ) async throws -> PostgresConnection {
        let pending = PendingResult<PostgresConnection>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.wait(continuation) else { return }
                openingCount.withLock { $0 += 1 }
                DispatchQueue(label: "PostgresConnection").async {
                    defer { openingCount.withLock { $0 -= 1 } }
                    let result = Result { try connect(address, on: loop, defaults) as PostgresConnection }
                    if let continuation = pending.take() { return continuation.resume(with: result) }
                    // Nobody waits any more.
                    if case .success(let connection) = result { connection.close() }
                }
            }
        } onCancel: {
            pending.take()?.resume(throwing: CancellationError())
        }
    }

    /// Returns once no connection is being opened, `limit` from now at the latest: before the process ends, for its end takes
    /// from libpq's threads what they use (`OPENSSL_cleanup`).
    package static func finishOpening(within limit: Duration = .seconds(3)) async {
        let end = ContinuousClock.now + limit
        while openingCount.withLock({ $0 > 0 }), .now < end {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
        }
    }

    private static func connect(
        _ address: PostgresAddress, on loop: EventLoop, _ defaults: [String: String]
    ) throws(PostgresError) -> PostgresConnection {
        // Later ones override earlier ones: what stands before the URL are defaults.
        let usual = [
            "connect_timeout": "10", "tcp_user_timeout": "15000", "keepalives_idle": "30",
            "fallback_application_name": "refreshable",
        ]
        let options =
            usual.merging(defaults) { $1 }.map { ($0.key, $0.value) }
            + [("dbname", address.url), ("client_encoding", "UTF8")]
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
        let connection = PostgresConnection(handle, on: loop)
        connection.post { [connection] in connection.begin() }
        return connection
    }

    private func begin() {
        guard let handle else { return }
        poll = SocketPoll(PQsocket(handle), on: loop) { [self] in ready($0) }
        poll?.wait(for: .readable)
        startNext()
    }

    /// libpq's message about its last call, in one line.
    static func message(of handle: OpaquePointer) -> String { oneLine(String(cString: PQerrorMessage(handle))) }

    /// What happened at each host, once, without the questions that libpq has about it, which are indented; without a full
    /// stop at its end.
    static func oneLine(_ message: String) -> String {
        let lines = message.split(whereSeparator: \.isNewline)
        let told = lines.filter { $0.first?.isWhitespace == false }.reduce(into: [Substring]()) { told, line in
            if !told.contains(line) { told.append(line) }
        }
        let sentences = (told.isEmpty ? lines : told).map { $0.hasSuffix(".") ? $0.dropLast() : $0 }
        return sentences.dropFirst().reduce(sentences.first.map(String.init) ?? "") { text, next in
            "\(text)\(next.first?.isUppercase == true ? "." : ";") \(next)"
        }
    }
}

// MARK: Ending

extension PostgresConnection {
    /// Ends it. From any thread; a second call does nothing.
    ///
    /// - Parameter isCancelling: asks the server to end what it does for us, by another connection. Without, it ends that when
    ///   it has something to say, or by its `statement_timeout`.
    package func close(isCancelling: Bool = true) {
        post { [self] in
            if isCancelling, let handle, current != nil, PQstatus(handle) == CONNECTION_OK { cancel(handle) }
            end(because: CancellationError(), PostgresError.lost("it was closed"))
        }
    }

    func lose() {
        guard let handle else { return }
        let error = PostgresError.lost(Self.message(of: handle))
        end(because: failure ?? error, error)
    }

    /// - Parameter reason: of the statement under way; those that wait are told of `loss`.
    func end(because reason: any Error, _ loss: PostgresError) {
        guard let handle else { return }
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
    func cancel(_ handle: OpaquePointer) {
        guard let cancel = PQgetCancel(handle) else { return }
        nonisolated(unsafe) let canceller = cancel
        DispatchQueue(label: "PostgresConnection.cancel").async {
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(canceller, &message, Int32(message.count))
            PQfreeCancel(canceller)
        }
    }
}
