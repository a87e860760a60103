import Dispatch
import EventLoops
public import ListStorage
import Locking
import PostgresConnections

/// Keeps lists in a PostgreSQL database, which any number of servers may share.
///
///     let store = try PostgresStore("postgres://app@db.example.org/lists")
///     let stored = try store.load("names")
///
/// What a commit has returned from survives what the database survives. The epoch of a list belongs to the database that it is in
/// (`DatabaseIdentity`): after a failover, a restore or a copy that was put back, lists come in new epochs, with the rows that
/// are there. While the database is away, lists are served as they were last read, and nothing is kept.
public final class PostgresStore: SharedListStore {
    /// One for all stores of the process.
    private static let sharedLoop = EventLoop()

    let pool: ConnectionPool
    let loop = sharedLoop
    let address: PostgresAddress
    /// This server's name among those that use the database.
    public let node: String
    private let events = StoreEventBuffer()
    private let lastFault = Locked<ListStoreError?>(nil)
    /// The number of a list's line, once it was read.
    let lines = Locked<[String: Int]>([:])
    /// How far the log of each database was when it was last looked at, in bytes, by the text of its identity.
    let positions = Locked<[String: Int]>([:])
    /// How much this server is interested in each list.
    let interests = Locked<[String: StoredAgreement.Interest]>([:])
    /// What the last look found of each list.
    let seen = Locked<[String: [Int]]>([:])
    /// Whether the tables were found to be those that this program knows, or were made so.
    let isMigrated = Locked(false)
    /// The transaction that has written each list's line as this server knows it, by the number of the line.
    let versions = Locked<[Int: Int]>([:])
    private let isClosed = Locked(false)
    /// The databases of which it was told why what they keep may be lost.
    private let toldOfWeakness = Locked<Set<String>>([])
    private let watching = Locked<[Task<Void, Never>]>([])
    let notices: NoticeChannel
    let meter = StoreMeter()

    /// Makes a store. It connects at once, and goes on trying where the database can't be reached; lists can be loaded once it
    /// can.
    ///
    /// - Parameter url: as libpq reads it, with several hosts if need be. Its password is in no error and no log.
    /// - Throws: `ListStoreError` if the URL can't be read; if the database was set up by a newer version, or can't be used as it
    ///   is set up.
    public init(_ url: String) throws(ListStoreError) {
        address = try PostgresAddress(ofStore: url)
        node = String(UInt64.random(in: 0 ... .max), radix: 36)
        let met = Locked<(@Sendable (DatabaseFacts, Bool) -> Void)?>(nil)
        pool = ConnectionPool(address, on: loop) { met.withLock(\.self)?($0, $1) }
        notices = NoticeChannel(address, on: loop, node: node, meter: meter)
        met.withLock { $0 = { [weak self] in self?.meet($0, isFirst: $1) } }
        try begin()
    }

    /// A URL without its password; what can't be read is not shown.
    public static func shown(_ url: String) -> String {
        do { return "\(try PostgresAddress(url))" } catch { return "a database" }
    }

    deinit { for task in watching.withLock(\.self) { task.cancel() } }

    /// This store.
    public var shared: (any SharedListStore)? { self }

    /// Why nothing can be kept at the moment: the database can't be reached, or not be used.
    public var fault: ListStoreError? { lastFault.withLock { $0 } }

    /// Reports that the database is away, or there again.
    public func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void) { events.open(to: tell) }

    /// Hears of lists that other servers have changed, and of all that may have been changed unheard.
    public func onChanges(_ tell: @escaping @Sendable (String, ChangeSignal) -> Void) {
        notices.hear(tell) { [weak self] in self?.reread() }
    }

    /// What it has done since it was opened.
    public var statistics: StoreStatistics {
        var statistics = meter.statistics
        statistics.connections = pool.connectionCount
        return statistics
    }

    /// Hears how long operations take from now on.
    public func onDurations(_ tell: @escaping @Sendable (StoreOperation, Duration) -> Void) { meter.hear(tell) }

    /// Closes all connections. What is under way ends with an error.
    public func close() throws(ListStoreError) {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        for task in watching.withLock(\.self) { task.cancel() }
        let lists = Array(numbers.values)
        wait { [pool, notices, node] in
            let wereLed = try? await pool.use { try await $0.ask(ListStatements.leave, [.text(node)]) }
            if wereLed?.isEmpty == false { for list in lists { await notices.sendNow(list) } }
            await notices.close()
            await pool.close()
            await PostgresConnection.finishOpening()
        }
    }

    // MARK: Its life

    /// How long it is from one look to the next, and how long one may take: a database that hangs is away within two seconds.
    private static let lookPause = Duration.milliseconds(500)
    static let lookPatience = ConnectionPool.silence
    /// How many looks it is until one at who wants to be notified: what no notice told.
    private static let subscriptionLooks = 4

    private func begin() throws(ListStoreError) {
        // By a task of its own: a look that hangs is what it ends.
        let ending = Task(executorPreference: loop) { [pool] in
            while await Self.pause(ConnectionPool.tick) { await pool.endOverdue() }
        }
        self.watching.withLock { $0 = [ending] }
        let first = wait { [self] in await attempt(.look) { try await self.look() } }
        switch first {
        case .success: break
        case .failure(let error):
            if case .unavailable = error { lose(error) } else { throw error }
        }
        let watching = Task(executorPreference: loop) { [weak self] in
            var looks = 0
            while await Self.pause(Self.lookPause), let self {
                await watch()
                looks += 1
                if looks % Self.subscriptionLooks == 0 { notices.tellSubscriptions() }
                if looks % 100 == 0 { await tidy() }
            }
        }
        self.watching.withLock { $0.append(watching) }
        Task(executorPreference: loop) { [notices] in await notices.run() }
    }

    /// False where the task is cancelled.
    private static func pause(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Looks whether the database is there, and tells what changes.
    private func watch() async {
        switch await attempt(.look, { try await self.look() }) {
        case .success:
            guard lastFault.withLock({ $0.take() }) != nil else { return }
            events.tell(.recovered(path: "\(address)"))
            reread()
        case .failure(let error): lose(error)
        }
    }

    /// Connections lead to another database than before.
    private func meet(_ database: DatabaseFacts, isFirst: Bool) {
        for reason in database.weaknesses
        where toldOfWeakness.withLock({ $0.insert("\(database.identity.history) \(reason)") }).inserted {
            events.tell(.weak(path: "\(address)", reason: reason))
        }
        if !isFirst { reread() }
    }

    private func tidy() async {
        _ = await attempt(.tidy) { [pool] in try await pool.use { try await $0.ask(ListStatements.tidy, []) } }
    }

    /// Tells that the database is away, once; and again where it is there, but can't be used.
    private func lose(_ error: ListStoreError) {
        guard !isClosed.withLock(\.self) else { return }
        let isNews = lastFault.withLock { fault in
            defer { fault = error }
            return fault.map { $0.isUnavailable != error.isUnavailable } ?? true
        }
        if isNews { events.tell(.lost(error)) }
    }

    /// Every list is read again from where this server knows it.
    private func reread() {
        for list in lines.withLock({ $0.keys }) { notices.tell(list, .reconnect) }
        notices.tellSubscriptions()
    }

    // MARK: Running

    /// Does something on the loop, and tells what came of it.
    func start<Success: Sendable>(
        _ operation: StoreOperation, _ body: @escaping @Sendable () async throws -> Success,
        then: @escaping @Sendable (Result<Success, ListStoreError>) -> Void
    ) {
        guard !isClosed.withLock(\.self) else { return then(.failure(.closed(path: "\(address)"))) }
        Task(executorPreference: loop) { then(await self.attempt(operation, body)) }
    }

    private func attempt<Success: Sendable>(
        _ operation: StoreOperation, _ body: @Sendable () async throws -> Success
    ) async -> Result<Success, ListStoreError> {
        let begun = ContinuousClock.now
        do {
            let success = try await body()
            meter.ended(operation, since: begun, isError: false)
            return .success(success)
        } catch {
            meter.ended(operation, since: begun, isError: true)
            let error = ListStoreError(error, at: address)
            if case .unavailable = error { lose(error) }
            return .failure(error)
        }
    }

    /// Does something on the loop, and returns what came of it: for threads that may be blocked.
    func wait<Success: Sendable>(_ body: @escaping @Sendable () async -> Success) -> Success {
        let result = Locked<Success?>(nil)
        let semaphore = DispatchSemaphore(value: 0)
        Task(executorPreference: loop) {
            let success = await body()
            result.withLock { $0 = success }
            semaphore.signal()
        }
        semaphore.wait()
        guard let success = result.withLock({ $0 }) else { preconditionFailure("The semaphore is signalled after it.") }
        return success
    }

    func number(of list: String) throws(ListStoreError) -> Int {
        guard let number = lines.withLock({ $0[list] }) else {
            preconditionFailure("The list \"\(list)\" is changed before it is read.")
        }
        return number
    }

    /// The lists that were read, by number.
    var numbers: [Int: String] {
        lines.withLock { Dictionary($0.map { ($0.value, $0.key) }) { first, _ in first } }
    }

    func remember(_ line: ListLine, of list: String) { lines.withLock { $0[list] = line.id } }
}

extension DatabaseFacts {
    /// Why what was acknowledged may be lost.
    fileprivate var weaknesses: [String] {
        var reasons: [String] = []
        if !isDurable {
            reasons.append(
                "the database does not wait for its disk (fsync = off). Switch it on, unless you can lose lists")
        }
        if hasTrailingStandby {
            reasons.append(
                "commits do not wait for the standby, and after a failover the last ones are missing. Name it in "
                    + "synchronous_standby_names, unless you can lose them")
        }
        return reasons
    }
}

extension ListStoreError {
    fileprivate var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}
