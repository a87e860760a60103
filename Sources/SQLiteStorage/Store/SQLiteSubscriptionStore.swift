import Foundation
import GRDB
import KeyedLists
public import ListStorage

/// Keeps who wants to be told of new rows, and of what they were told: `notifications.sqlite` in the data folder, beside the
/// lists.
///
/// A file of its own, as it has nothing of a list's history: who restores a backup of the lists keeps the subscriptions. The
/// folder is locked by the ``SQLiteStore`` that uses it.
public final class SQLiteSubscriptionStore: SubscriptionStore {
    /// "RfNo", in `PRAGMA application_id`.
    private static let application = 0x5266_4E6F
    private static let version = 1

    private let path: String
    private let queue: DatabaseQueue

    /// Opens the file, or makes it.
    public init(folder: String) throws(ListStoreError) {
        let path = DataFolder(path: folder).subscriptions
        self.path = path
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.label = "Subscriptions"
            configuration.prepareDatabase { database in
                // As for lists: what was written survives the process, and a loss of power may take the last of it.
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            guard chmod(path, 0o600) == 0 else { throw ListStoreError(errno, path: path) }
            try queue.write { try Self.prepare($0, path: path) }
        } catch {
            throw ListStoreError(error, path: path)
        }
    }

    /// All that is kept.
    public func load() throws(ListStoreError) -> ([StoredSubscription], arrivals: [String: StoredArrivals]) {
        try use { queue in
            try queue.read { database in
                let subscriptions = try GRDB.Row.fetchAll(database, sql: "SELECT * FROM subscriptions ORDER BY rowid")
                var arrivals: [String: StoredArrivals] = [:]
                for row in try GRDB.Row.fetchAll(database, sql: "SELECT * FROM arrivals") {
                    if let list = String.fromDatabaseValue(row["list"]) { arrivals[list] = StoredArrivals(row) }
                }
                return (subscriptions.compactMap(StoredSubscription.init), arrivals)
            }
        }
    }

    /// Writes all of it, or nothing.
    public func keep(_ changes: SubscriptionChanges) throws(ListStoreError) {
        guard !changes.isEmpty else { return }
        try use { queue in
            try queue.write { database in
                let remove = try database.makeStatement(sql: "DELETE FROM subscriptions WHERE id = ? AND list = ?")
                for (id, list) in changes.removed { try remove.execute(arguments: [id, list]) }
                let set = try database.makeStatement(
                    sql: "INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                for subscription in changes.set { try set.execute(arguments: subscription.arguments) }
                let note = try database.makeStatement(sql: "INSERT OR REPLACE INTO arrivals VALUES (?, ?, ?, ?, ?, ?)")
                for (list, arrivals) in changes.arrivals { try note.execute(arguments: arrivals.arguments(of: list)) }
            }
        }
    }

    /// Ends the use of the file.
    public func close() throws(ListStoreError) { try use { try $0.close() } }

    private func use<Result>(_ body: (DatabaseQueue) throws -> Result) throws(ListStoreError) -> Result {
        do { return try body(queue) } catch { throw ListStoreError(error, path: path) }
    }

    private static func prepare(_ database: Database, path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let owner = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard found > 0 || owner != 0 else { return try create(database) }
        guard owner == application else { throw ListStoreError.anotherProgram(path: path) }
        guard found <= version else { throw ListStoreError.newerVersion(path: path, found: found, known: version) }
    }

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE subscriptions (
                    id TEXT NOT NULL, list TEXT NOT NULL, endpoint TEXT NOT NULL, publicKey TEXT NOT NULL,
                    secret TEXT NOT NULL, owner TEXT NOT NULL, signIn INTEGER, language TEXT NOT NULL,
                    site TEXT NOT NULL, seen INTEGER NOT NULL, told INTEGER NOT NULL, PRIMARY KEY (id, list));
                CREATE TABLE arrivals (
                    list TEXT PRIMARY KEY NOT NULL, epoch INTEGER, revision INTEGER NOT NULL, total INTEGER NOT NULL,
                    key BLOB, title TEXT);
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(version);
                """)
    }
}

extension StoredSubscription {
    /// A line that a damaged file may have; nil where it can't be one.
    fileprivate init?(_ row: GRDB.Row) {
        let texts = (["id", "list", "endpoint", "publicKey", "secret", "owner", "language", "site"] as [String])
            .compactMap {
                String.fromDatabaseValue(row[$0])
            }
        guard texts.count == 8, let seen = Int.fromDatabaseValue(row["seen"]),
            let told = Int.fromDatabaseValue(row["told"])
        else { return nil }
        self.init(
            id: texts[0], list: texts[1], endpoint: texts[2], publicKey: texts[3], secret: texts[4], owner: texts[5],
            signIn: Int64.fromDatabaseValue(row["signIn"]), language: texts[6], site: texts[7], seen: seen, told: told)
    }

    fileprivate var arguments: StatementArguments {
        [id, list, endpoint, publicKey, secret, owner, signIn, language, site, seen, told]
    }
}

extension StoredArrivals {
    /// As above.
    fileprivate init?(_ row: GRDB.Row) {
        guard let revision = Int.fromDatabaseValue(row["revision"]), let total = Int.fromDatabaseValue(row["total"])
        else {
            return nil
        }
        self.init(
            epoch: Int64.fromDatabaseValue(row["epoch"]).map { Epoch(UInt64(bitPattern: $0)) }, revision: revision,
            total: total, key: Data.fromDatabaseValue(row["key"]).map { String(decoding: $0, as: UTF8.self) },
            title: String.fromDatabaseValue(row["title"]))
    }

    fileprivate func arguments(of list: String) -> StatementArguments {
        [
            list, epoch.map { Int64(bitPattern: $0.value) }, revision, total, key.map { Data($0.utf8) }, title,
        ]
    }
}
