import Foundation
import GRDB
import KeyedLists
package import ListStorage

/// Reads the store in a data folder, and writes nothing there.
package final class SQLiteStoreReader: StoreReader {
    package let path: String
    private let connection: DatabaseQueue
    /// Nil where a server may use the folder meanwhile.
    private let lock: SharedFolderLock?

    /// - Parameter isAlone: whether a folder that a server uses is refused, and kept from servers until the reader is closed.
    /// - Throws: where there is no store, or one that can't be opened; `locked` where a server uses it.
    package init(folder: String, isAlone: Bool) throws(ListStoreError) {
        let folder = DataFolder(path: folder)
        path = folder.database
        guard let header = try FileHeader(of: path) else {
            throw .cannotOpen(path: path, reason: "there is no such file, or nothing in it")
        }
        try header.check(path: path)
        lock = isAlone ? try SharedFolderLock(folder) : nil
        do {
            connection = try Self.connect(to: folder)
            try connection.read { [path] in try Self.check(version: $0, path: path) }
        } catch {
            throw ListStoreError(error, path: folder.database)
        }
    }

    package func names() throws(ListStoreError) -> [String] {
        try use { database in
            let found = try ListRecord.all(database)
            return found.sound.map(\.name.string) + found.damaged.map { $0?.string ?? "" }
        }
    }

    package func read(_ list: String) throws(ListStoreError) -> StoredList? {
        try use { [path] database in
            guard let record = try ListRecord.named(Key(list), database, path: path) else { return nil }
            let stored = try StoredRows(of: record, database, path: path)
            return StoredList(
                epoch: record.epoch, isRestored: true, list: try stored.restored(), facts: record.facts,
                actionRuns: stored.actionRuns, unread: stored.unread)
        }
    }

    /// Rows whose list has no record.
    package func strays() throws(ListStoreError) -> [ListStoreError] {
        try use { [path] database in
            guard try ListRecord.all(database).damaged.isEmpty else { return [] }
            let sql = "SELECT count(*) FROM rows WHERE list NOT IN (SELECT id FROM lists NOT INDEXED)"
            do {
                guard let count = try Int.fetchOne(database, sql: sql), count > 0 else { return [] }
                return [.corrupt(path: path, reason: "the line of a list is missing: \(count) rows belong to none")]
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // The list that it is in has said so.
                return []
            }
        }
    }

    package func close() {
        do { try connection.close() } catch {
            // It has written nothing, and is closed with the process.
        }
        lock?.release()
    }

    private func use<Result>(_ body: (Database) throws -> Result) throws(ListStoreError) -> Result {
        do { return try connection.read(body) } catch { throw ListStoreError(error, path: path) }
    }

    /// A file that was closed has no log, and gets none from us: its seal would be worth nothing.
    ///
    /// https://www.sqlite.org/uri.html#uriimmutable
    private static func connect(to folder: DataFolder) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        guard !folder.hasLog else { return try DatabaseQueue(path: folder.database, configuration: configuration) }
        var address = URLComponents()
        address.scheme = "file"
        address.path = URL(fileURLWithPath: folder.database).path
        address.queryItems = [URLQueryItem(name: "immutable", value: "1")]
        return try DatabaseQueue(path: address.string ?? folder.database, configuration: configuration)
    }

    private static func check(version database: Database, path: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version == Schema.version else {
            throw ListStoreError.failed(
                path: path,
                reason: "it is of version \(version), and this program reads version \(Schema.version). Serve it once")
        }
    }
}
