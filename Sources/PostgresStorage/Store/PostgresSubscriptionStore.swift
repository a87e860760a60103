import KeyedLists
public import ListStorage
import Locking
import PostgresConnections

/// Keeps who wants to be told of new rows in the database of a ``PostgresStore``, for all servers that use it.
///
/// Each server has all of it in memory, and reads what others have written since. A notice tells of whoever has come or gone, so
/// that the leader of the list knows; of the rest hears whoever looks, every two seconds.
public final class PostgresSubscriptionStore: SubscriptionStore {
    /// Up to where this server has read.
    private struct Place {
        var database = ""
        var transaction = 0
        /// By the database's clock, in milliseconds.
        var moment = 0
    }

    private let store: PostgresStore
    private let place = Locked(Place())

    /// Uses the connections of a store, as long as that is open.
    public init(_ store: PostgresStore) { self.store = store }

    /// Other servers use it, too.
    public var isShared: Bool { true }

    /// The key by which push services know all servers of this database, as PEM. It is in no log.
    ///
    /// - Parameter make: makes one, if there is none. Of several servers that begin at once, one makes it for all.
    public func key(orElse make: @Sendable () -> [UInt8]) throws(ListStoreError) -> [UInt8] {
        if let key = try key() { return key }
        let made = make()
        try use { _ = try await $0.ask(SubscriptionStatements.makeKey, [.bytes(made)]) }
        guard let key = try key() else {
            throw ListStoreError.failed(path: "\(store.address)", reason: "the key for notifications is not kept")
        }
        return key
    }

    private func key() throws(ListStoreError) -> [UInt8]? {
        try use { connection in
            try await connection.connection.rows(SubscriptionStatements.key, []) { $0.array(0) }.first ?? nil
        }
    }

    /// All that is kept.
    public func load() throws(ListStoreError) -> ([StoredSubscription], arrivals: [String: StoredArrivals]) {
        place.withLock { $0 = Place() }
        let all = try changes()
        return (all.set, all.arrivals)
    }

    /// What was written since this server has read last; all of it, if that was in another database, or long ago.
    public func changes() throws(ListStoreError) -> SubscriptionUpdate {
        let known = place.withLock(\.self)
        let (rows, database) = try use { connection in
            let database = connection.facts.identity.text
            let values: [PostgresValue] = [
                .int(known.database == database ? known.transaction : 0), .int(known.moment),
            ]
            let rows = try await connection.connection.rows(SubscriptionStatements.read, values) { SubscriptionRow($0) }
            return (rows, database)
        }
        var update = SubscriptionUpdate()
        for row in rows {
            switch row {
            case .place(let transaction, let moment, let isWhole):
                place.withLock { $0 = Place(database: database, transaction: transaction, moment: moment) }
                update.isWhole = isWhole
            case .subscription(let subscription): update.set.append(subscription)
            case .removed(let name): update.removed.append(name)
            case .arrivals(let list, let arrivals): update.arrivals[list] = arrivals
            }
        }
        return update
    }

    /// Writes changes.
    public func keep(_ changes: SubscriptionChanges) throws(ListStoreError) { _ = try commit(changes) }

    /// Writes changes, and tells the other servers of those who have come or gone.
    public func commit(_ changes: SubscriptionChanges) throws(ListStoreError) -> [SubscriptionName: TellOutcome] {
        guard !changes.isEmpty || !changes.looks.isEmpty else { return [:] }
        let statements = changes.statements(from: store.node)
        let tell = changes.tellStatement(from: store.node)
        let lists = Set(changes.new.map(\.list))
        let told = try use { connection in
            // A list is counted from where it is, so it has to be somewhere: perhaps nobody has read it yet.
            for list in lists { try await connection.create(list) }
            for (text, values) in statements { _ = try await connection.ask(text, values) }
            guard let tell else { return [(SubscriptionName, TellOutcome)]() }
            return try await connection.connection.rows(tell.text, tell.values) { row in
                let name = SubscriptionName(id: row.text(1) ?? "", list: row.text(0) ?? "")
                return (name, row.int(3).map { .looks(milliseconds: Int64($0)) } ?? .told(seen: row.int(2) ?? 0))
            }
        }
        if !changes.new.isEmpty || !changes.removed.isEmpty { store.notices.send(NoticeChannel.subscriptions) }
        var outcomes = Dictionary(uniqueKeysWithValues: changes.due.map { ($0, TellOutcome.over) })
        outcomes.merge(told) { $1 }
        return outcomes
    }

    /// Has a function called when others may have written something: when they say so, when the database is there again, and
    /// every two seconds.
    public func onChanges(_ tell: @escaping @Sendable () -> Void) { store.notices.hearSubscriptions(tell) }

    /// Nothing: the connections are the store's.
    public func close() throws(ListStoreError) {}

    /// Does something by a connection, and waits for it; not at all while the database is away.
    private func use<Result: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) async throws -> Result
    ) throws(ListStoreError) -> Result {
        if let fault = store.fault { throw fault }
        return try store.result(of: .subscriptions) { [store] in try await store.pool.use(body) }
    }
}

/// What `SubscriptionStatements.read` gives.
private enum SubscriptionRow: Sendable {
    case place(transaction: Int, moment: Int, isWhole: Bool)
    case subscription(StoredSubscription)
    case removed(SubscriptionName)
    case arrivals(String, StoredArrivals)

    init(_ row: PostgresRow) {
        func text(_ column: Int) -> String { row.text(column) ?? "" }
        func int(_ column: Int) -> Int { row.int(column) ?? 0 }
        switch row.int(0) {
        case 1:
            self = .subscription(
                StoredSubscription(
                    id: text(5), list: text(4), endpoint: text(6), publicKey: text(7), secret: text(8), owner: text(9),
                    signIn: row.text(10).flatMap { Int64($0) }, language: text(11), site: text(12), seen: int(1),
                    told: int(2)))
        case 2: self = .removed(SubscriptionName(id: text(5), list: text(4)))
        case 3:
            let epoch = row.int(3).map { Epoch(UInt64(bitPattern: Int64($0))) }
            self = .arrivals(
                text(4),
                StoredArrivals(epoch: epoch, revision: int(1), total: int(2), key: row.text(5), title: row.text(6)))
        default: self = .place(transaction: int(1), moment: int(2), isWhole: int(3) == 0)
        }
    }
}

/// The statements that keep changes, each with its values.
extension SubscriptionChanges {
    fileprivate func statements(from node: String) -> [(text: String, values: [PostgresValue])] {
        [subscribeStatement, unsubscribeStatement, seeStatement, countStatement(from: node)].compactMap(\.self)
    }

    fileprivate func tellStatement(from node: String) -> (text: String, values: [PostgresValue])? {
        let told = self.set.filter { due.contains($0.name) }
        guard !told.isEmpty else { return nil }
        let values: [PostgresValue] = [
            .text(node), .texts(told.map(\.list)), .texts(told.map(\.id)), .ints(told.map(\.seen)),
            .ints(told.map(\.told)),
        ]
        return (SubscriptionStatements.tell, values)
    }

    private var subscribeStatement: (String, [PostgresValue])? {
        let asking = self.set.filter { new.contains($0.name) }
        guard !asking.isEmpty else { return nil }
        let columns: [(StoredSubscription) -> String] = [
            \.list, \.id, \.endpoint, \.publicKey, \.secret, \.owner, { $0.signIn.map { "\($0)" } ?? "" }, \.language,
            \.site,
        ]
        return (SubscriptionStatements.subscribe, columns.map { .texts(asking.map($0)) })
    }

    private var unsubscribeStatement: (String, [PostgresValue])? {
        guard !removed.isEmpty else { return nil }
        return (SubscriptionStatements.unsubscribe, [.texts(removed.map(\.list)), .texts(removed.map(\.id))])
    }

    private var seeStatement: (String, [PostgresValue])? {
        let records = Dictionary(self.set.map { ($0.name, $0) }) { $1 }
        let names = Set(records.keys).subtracting(new).union(looks.keys).subtracting(due)
        guard !names.isEmpty else { return nil }
        let all = Array(names)
        let values: [PostgresValue] = [
            .texts(all.map(\.list)), .texts(all.map(\.id)), .ints(all.map { records[$0]?.seen ?? 0 }),
            .ints(all.map { records[$0]?.told ?? 0 }), .ints(all.map { looks[$0].map { Int($0) } ?? -1 }),
        ]
        return (SubscriptionStatements.see, values)
    }

    private func countStatement(from node: String) -> (String, [PostgresValue])? {
        let counted = arrivals.filter { $0.value.epoch != nil }.sorted { $0.key < $1.key }
        guard !counted.isEmpty else { return nil }
        let values: [PostgresValue] = [
            .text(node), .texts(counted.map(\.key)),
            .ints(counted.map { Int(Int64(bitPattern: $0.value.epoch?.value ?? 0)) }),
            .ints(counted.map(\.value.revision)), .ints(counted.map(\.value.total)),
            .texts(counted.map { $0.value.key ?? "" }), .texts(counted.map { $0.value.title ?? "" }),
            .ints(counted.map { $0.value.title == nil ? 0 : 1 }),
        ]
        return (SubscriptionStatements.count, values)
    }
}

extension PostgresValue {
    fileprivate static func texts(_ texts: [String]) -> PostgresValue { .bytes(texts.map { Array($0.utf8) }) }
}
