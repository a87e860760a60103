import EventLoops
import ListStorage
import Locking
import PostgresConnections

/// How servers tell each other that a list has gone on: a notice wakes, and what is missing is read.
///
/// Not in the transaction of a commit: there, NOTIFY takes a lock of the whole cluster until the commit is on the disk
/// (PreCommit_Notify in PostgreSQL's async.c). What is told within some milliseconds is told at once. A notice that is lost
/// costs nothing but time: lists are looked at twice a second as well.
final class NoticeChannel: Sendable {
    static let name = "refreshable"
    /// In the place of a list: who wants to be notified has changed. No list has such a name.
    static let subscriptions = "@subscriptions"
    /// What says that a server has changed a list.
    static func payload(_ list: String, from node: String) -> String { "\(node) \(list)" }

    /// How long it waits before it connects again.
    private static let pause = Duration.milliseconds(500)

    private struct Hearing {
        var tell: (@Sendable (String, ChangeSignal) -> Void)?
        var missed: @Sendable () -> Void = {}
        var subscriptionsChanged: @Sendable () -> Void = {}
    }

    private let sender: NoticeSender
    private let address: PostgresAddress
    private let loop: EventLoop
    private let node: String
    private let hearing = Locked<Hearing>(Hearing())
    private let listener = Locked<(connection: PostgresConnection?, isClosed: Bool)>((nil, false))

    init(_ address: PostgresAddress, on loop: EventLoop, node: String, meter: StoreMeter) {
        self.address = address
        self.loop = loop
        self.node = node
        sender = NoticeSender(address, on: loop, node: node, meter: meter)
    }

    /// Hears of lists that other servers have changed, and `missed` when some may have been missed.
    func hear(_ tell: @escaping @Sendable (String, ChangeSignal) -> Void, missed: @escaping @Sendable () -> Void) {
        hearing.withLock { ($0.tell, $0.missed) = (tell, missed) }
    }

    /// Hears that who wants to be notified may have changed.
    func hearSubscriptions(_ tell: @escaping @Sendable () -> Void) {
        hearing.withLock { $0.subscriptionsChanged = tell }
    }

    /// Tells who is in this process that a list may have changed.
    func tell(_ list: String, _ signal: ChangeSignal) { hearing.withLock { $0.tell }?(list, signal) }

    /// Tells who is in this process that who wants to be notified may have changed.
    func tellSubscriptions() { hearing.withLock(\.subscriptionsChanged)() }

    /// Tells all other servers that a list has changed. From any thread; returns at once.
    func send(_ list: String) { Task(executorPreference: loop) { [sender] in await sender.add(list) } }

    /// As `send`, and returns once it was sent.
    func sendNow(_ list: String) async { await sender.send([list]) }

    /// Listens until it is closed.
    func run() async {
        while !listener.withLock(\.isClosed) {
            do { try await listen() } catch {
                // The store says why the database can't be reached.
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    func close() async {
        listener.withLock { listener in
            listener.isClosed = true
            listener.connection?.close()
        }
        await sender.close()
    }

    private func listen() async throws {
        let connection = try await PostgresConnection.open(address, on: loop, defaults: StoreConnection.defaults)
        defer { connection.close() }
        let isClosed = listener.withLock { listener in
            listener.connection = connection
            return listener.isClosed
        }
        guard !isClosed else { return }
        let (losses, loss) = AsyncStream.makeStream(of: Never.self)
        connection.listen { [weak self] _, payload in
            self?.heard(payload)
        } lost: { _ in
            loss.finish()
        }
        try await connection.within(ConnectionPool.patience) {
            try await connection.run("LISTEN \(Self.name)")
        }
        hearing.withLock(\.missed)()
        for await _ in losses {}
    }

    private func heard(_ payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count == 2, parts[0] != node else { return }
        if parts[1] == Self.subscriptions { tellSubscriptions() } else { tell(String(parts[1]), .notice) }
    }
}

/// Sends notices, the first at once and those of the next milliseconds together, by a connection of its own that waits for no disk.
actor NoticeSender {
    /// How long it is from one to the next.
    private static let pause = Duration.milliseconds(2)

    nonisolated let loop: EventLoop
    private let address: PostgresAddress
    private let node: String
    private let meter: StoreMeter
    private var connection: PostgresConnection?
    private var pending: Set<String> = []
    private var isSending = false
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ address: PostgresAddress, on loop: EventLoop, node: String, meter: StoreMeter) {
        self.address = address
        self.loop = loop
        self.node = node
        self.meter = meter
    }

    func add(_ list: String) async {
        pending.insert(list)
        guard !isSending, !isClosed else { return }
        isSending = true
        while !pending.isEmpty, !isClosed {
            let lists = pending
            pending = []
            await send(lists)
            try? await Task.sleep(for: Self.pause)
        }
        isSending = false
    }

    func close() {
        isClosed = true
        connection?.close()
    }

    func send(_ lists: Set<String>) async {
        let begun = ContinuousClock.now
        do {
            let connection = try await opened()
            let payloads = lists.map { Array(NoticeChannel.payload($0, from: node).utf8) }
            _ = try await connection.within(ConnectionPool.patience) {
                try await connection.rows(Self.notify, [.bytes(payloads)]) { _ in true }
            }
            meter.ended(.notify, since: begun, isError: false)
        } catch {
            meter.ended(.notify, since: begun, isError: true)
            // They are found by the look of the next second.
            connection?.close()
            connection = nil
        }
    }

    private static let notify = """
        SELECT pg_notify('\(NoticeChannel.name)', convert_from(payload, 'UTF8')) FROM unnest($1::bytea[]) AS payload
        """

    private func opened() async throws -> PostgresConnection {
        if let connection { return connection }
        let connection = try await PostgresConnection.open(address, on: loop, defaults: StoreConnection.defaults)
        // Closed by `send` where it can't be set up.
        self.connection = connection
        try await connection.within(ConnectionPool.patience) {
            try await connection.run("SET synchronous_commit = off; SET statement_timeout = 2000")
        }
        return connection
    }
}
