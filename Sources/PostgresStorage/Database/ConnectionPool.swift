import EventLoops
import ListStorage
import Locking
import PostgresConnections

/// The connections of a store: opened when they are needed, looked at before their first use, and given to one statement at
/// a time.
///
/// Its executor is the loop of the connections, so that nothing waits for the threads of Swift's own pool.
actor ConnectionPool {
    /// As many are open at most. One transaction waits for the disk as long as eight that come together.
    static let most = 8
    /// How long a statement may take, and as long a connection, besides what is moved.
    static let patience = Duration.seconds(2)
    /// How long the database may be silent amid an answer.
    static let silence = Duration.milliseconds(1300)
    /// How often statements that take too long are looked for.
    static let tick = Duration.milliseconds(100)

    nonisolated let loop: EventLoop
    nonisolated let address: PostgresAddress
    private var idle: [StoreConnection] = []
    private var count = 0 { didSet { published.withLock { $0 = count } } }
    private nonisolated let published = Locked(0)
    private var waiting: [CheckedContinuation<StoreConnection?, Never>] = []
    /// Connections of this database that have ended while something was asked, which may not be over there.
    private var unfinished: [StoreConnection] = []
    private var deadlines: [ObjectIdentifier: (connection: PostgresConnection, moment: ContinuousClock.Instant)] = [:]
    private var isClosed = false
    /// The database that connections lead to.
    private var identity: DatabaseIdentity?
    private var lastTick: ContinuousClock.Instant?
    private let met: @Sendable (DatabaseFacts, _ isFirst: Bool) -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How many connections are open or being opened. From any thread.
    nonisolated var connectionCount: Int { published.withLock(\.self) }

    /// - Parameter met: told when connections lead to another database than before, or to one that was started anew.
    init(
        _ address: PostgresAddress, on loop: EventLoop,
        met: @escaping @Sendable (DatabaseFacts, _ isFirst: Bool) -> Void
    ) {
        self.address = address
        self.loop = loop
        self.met = met
    }

    /// Has something done by a connection of its own, once all is over that was asked by connections that have ended, whether done or
    /// not: a statement that the database has not read yet would be done after what is asked now.
    ///
    /// - Parameters:
    ///   - patience: how long it may take, besides a second for each MiB of `size`, which is how many bytes are moved at least; and
    ///     longer while something comes from the database.
    ///   - body: what it throws of `PostgresError` ends the connection, except for a statement that was refused.
    /// - Throws: what `body` throws; a `PostgresError` where there is no connection, or where what was asked before is not over in time.
    func use<Result: Sendable>(
        size: Int = 0, within patience: Duration = ConnectionPool.patience,
        _ body: @Sendable (StoreConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await take()
        let id = ObjectIdentifier(connection.connection)
        deadlines[id] = (connection.connection, .now + patience + .seconds(size >> 20))
        do {
            try await endUnfinished(by: connection)
            let result = try await body(connection)
            giveBack(connection, id)
            return result
        } catch let error as PostgresError {
            if case .refused(let refusal) = error, !refusal.isAboutConnection {
                giveBack(connection, id)
            } else {
                discard(connection, id)
            }
            throw error
        } catch {
            discard(connection, id)
            throw error
        }
    }

    /// Ends what other connections were asked, and waits until it is over, for `patience` at most.
    private func endUnfinished(by connection: StoreConnection) async throws {
        // What another database does is no part of this one's history.
        unfinished.removeAll { $0.facts.identity != connection.facts.identity }
        let end = ContinuousClock.now + Self.patience
        while !unfinished.isEmpty {
            let ended = unfinished
            let running = try await connection.terminate(ended)
            unfinished.removeAll { one in
                !running.contains(Int(one.connection.process)) && ended.contains { $0.connection === one.connection }
            }
            guard !unfinished.isEmpty else { return }
            guard .now < end else { throw PostgresError.lost("it is not done with what it was asked before") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Ends connections whose statements take too long. To be called once each `tick`.
    func endOverdue() {
        let now = ContinuousClock.now
        // A process that was asleep, or had no processor, has not waited for the database.
        let late = lastTick.map { now - $0 - Self.tick } ?? .zero
        lastTick = now
        for (id, (connection, moment)) in deadlines {
            let moment = late > Self.tick ? moment + late : moment
            deadlines[id]?.moment = moment
            guard now > max(moment, connection.heardAt + Self.silence) else { continue }
            deadlines[id] = nil
            connection.close(isCancelling: false)
        }
    }

    /// Closes all that are not in use: they may be of a server that is gone.
    func closeIdle() {
        for connection in idle { connection.connection.close() }
        count -= idle.count
        idle = []
    }

    /// Closes all. Further use throws.
    func close() {
        isClosed = true
        closeIdle()
        for (connection, _) in deadlines.values { connection.close(isCancelling: false) }
    }

    private func take() async throws -> StoreConnection {
        while !isClosed {
            while let connection = idle.popLast() {
                if connection.connection.isOpen { return connection }
                count -= 1
            }
            guard count >= Self.most else { break }
            if let connection = await withCheckedContinuation({ waiting.append($0) }) { return connection }
        }
        guard !isClosed else { throw PostgresError.lost("the store is closed") }
        count += 1
        do {
            let connection = try await StoreConnection.open(address, on: loop)
            try follow(connection)
            return connection
        } catch {
            letNextTry()
            throw error
        }
    }

    /// Of two databases with one history, the one that was promoted later counts: a former primary that still answers is left.
    private func follow(_ connection: StoreConnection) throws(ListStoreError) {
        let found = connection.facts.identity
        guard found != identity else { return }
        if let identity, found.isFormer(of: identity) {
            connection.connection.close()
            throw .unsuitable(
                path: "\(address)",
                reason:
                    "a former primary answers there, and another was promoted since. Stop it. If an old copy was put back on "
                    + "purpose, restart this server.")
        }
        let isFirst = identity == nil
        identity = found
        closeIdle()
        met(connection.facts, isFirst)
    }

    private func giveBack(_ connection: StoreConnection, _ id: ObjectIdentifier) {
        // One that was overdue is being closed.
        let isInTime = deadlines.removeValue(forKey: id) != nil
        guard isInTime, !isClosed, connection.facts.identity == identity else {
            connection.connection.close()
            return letNextTry()
        }
        if waiting.isEmpty { idle.append(connection) } else { waiting.removeFirst().resume(returning: connection) }
    }

    private func discard(_ connection: StoreConnection, _ id: ObjectIdentifier) {
        deadlines[id] = nil
        connection.connection.close(isCancelling: false)
        unfinished.append(connection)
        letNextTry()
    }

    /// There is room for another connection.
    private func letNextTry() {
        count -= 1
        if !waiting.isEmpty { waiting.removeFirst().resume(returning: nil) }
    }
}

/// A connection of a store, to a database that was looked at.
struct StoreConnection: Sendable {
    let connection: PostgresConnection
    let facts: DatabaseFacts

    /// Connects, and looks whether this is a database that takes commits and keeps them.
    ///
    /// - Throws: `PostgresError`; `ListStoreError.unsuitable`.
    static func open(_ address: PostgresAddress, on loop: EventLoop) async throws -> StoreConnection {
        let connection = try await PostgresConnection.open(address, on: loop, defaults: defaults)
        do {
            let facts = try await connection.within(ConnectionPool.patience) {
                try await connection.rowsOnce(DatabaseFacts.query, ["\(connection.process)"]) { DatabaseFacts($0) }
                    .first
            }
            guard let facts else { throw PostgresError.lost("it does not say what it is") }
            if let fault = facts.fault(at: address) { throw fault }
            return StoreConnection(connection: connection, facts: facts)
        } catch {
            connection.close(isCancelling: false)
            throw error
        }
    }

    /// Terminates the processes of other connections (`pg_terminate_backend`), which any user may do to its own.
    ///
    /// Materialized, for PostgreSQL may call the function for each process that there is, and compare afterwards.
    ///
    /// - Returns: the numbers of those that are still there.
    func terminate(_ others: [StoreConnection]) async throws -> [Int] {
        let processes = others.map { Int($0.connection.process) }
        let starts = others.map { [UInt8]($0.facts.backendStart.utf8) }
        return try await ask(
            """
            WITH running AS MATERIALIZED (
                SELECT pid FROM unnest($1::bigint[], $2::bytea[]) AS other (process, start) JOIN pg_stat_activity
                    ON pid = process AND extract(epoch FROM backend_start)::text = convert_from(start, 'UTF8')
            )
            SELECT pid::bigint FROM running WHERE pg_terminate_backend(pid) IS NOT NULL
            """, [.ints(processes), .bytes(starts)])
    }

    /// For what the URL leaves out. Of several hosts, the one that takes commits.
    static let defaults = [
        "target_session_attrs": "read-write", "connect_timeout": "2", "tcp_user_timeout": "3000",
        "keepalives_idle": "5",
        "keepalives_interval": "2", "keepalives_count": "2", "fallback_application_name": "refreshable store",
    ]
}

extension PostgresConnection {
    /// Asks something of a database that may have fallen silent: then the connection ends, and `body` throws.
    ///
    /// - Parameter body: runs on the connection's loop, so that it waits for no thread of Swift's own pool.
    func within<Result: Sendable>(
        _ patience: Duration, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let alarm = Task(executorPreference: loop) { [self] in
            // Counted: a process that was asleep, or had no processor, has not waited for the database.
            for _ in 0..<Int(patience / ConnectionPool.tick) { try await Task.sleep(for: ConnectionPool.tick) }
            close(isCancelling: false)
        }
        return try await withTaskExecutorPreference(loop) {
            // Here on the loop: whoever asks may wait for a thread of its own before it hears of the answer.
            defer { alarm.cancel() }
            return try await body()
        }
    }
}

extension DatabaseFacts {
    /// Why it can't be used.
    fileprivate func fault(at address: PostgresAddress) -> ListStoreError? {
        let path = "\(address)"
        if isPooled { return .pooled(path: path) }
        if isStandby {
            return .unsuitable(
                path: path,
                reason: "it is a standby, which takes no commits. Name the primary, or all hosts with "
                    + "target_session_attrs=read-write.")
        }
        if version < 130_000 {
            return .unsuitable(
                path: path, reason: "it is PostgreSQL \(version / 10_000), and 13 or newer is needed. Upgrade it.")
        }
        return nil
    }
}

extension PostgresError.Refusal {
    /// Whether the server refused more than a statement: it shuts down, or the connection is of no use any more. Classes 08
    /// and 57P of https://www.postgresql.org/docs/current/errcodes-appendix.html, and a database that only reads.
    var isAboutConnection: Bool { state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006" }
}
