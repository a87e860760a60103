import Foundation
import GRDB
import KeyedLists
public import ListStorage

/// Checks a whole store and reports what is damaged. It only reads, also while a server has the store open.
public struct StoreReport: Sendable {
    /// One list of it.
    public struct List: Sendable {
        /// As it is in the file.
        public let name: String
        /// Nil where it can't be read.
        public let rows: Int?
        /// Why it can't be read.
        public let fault: ListStoreError?
    }

    /// The file that was looked through.
    public let path: String
    /// In the order in which they were made.
    public let lists: [List]
    /// Why some rows of a table can't be assigned to a list.
    public let faults: [ListStoreError]

    /// Whether all is as it was written.
    public var isSound: Bool { faults.isEmpty && lists.allSatisfy { $0.fault == nil } }

    /// Reads every line of the store in a folder, and holds it to its checksum.
    ///
    /// - Throws: where there is no store, or one that can't be opened.
    public init(of folder: String) throws(ListStoreError) {
        let folder = DataFolder(path: folder)
        path = folder.database
        do {
            guard let header = try FileHeader(of: path) else {
                throw ListStoreError.cannotOpen(path: path, reason: "there is no such file, or nothing in it")
            }
            try header.check(path: path)
            let connection = try Self.connect(to: folder)
            (lists, faults) = try connection.read { [path] in try Self.look($0, path: path) }
            try connection.close()
        } catch {
            throw ListStoreError(error, path: folder.database)
        }
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

    private static func look(_ database: Database, path: String) throws -> (lists: [List], faults: [ListStoreError]) {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version == Schema.version else {
            throw ListStoreError.failed(
                path: path,
                reason: "it is of version \(version), which has no checksums. Serve it once, and it gets them")
        }
        let found = try ListRecord.all(database)
        let lists = found.sound.map { record in
            do {
                let list = try StoredRows(of: record, database, path: path).restored()
                return List(name: record.name.string, rows: list.count, fault: nil)
            } catch {
                return List(name: record.name.string, rows: nil, fault: ListStoreError(error, path: path))
            }
        }
        let damaged = found.damaged.map { name in
            List(
                name: name?.string ?? "", rows: nil,
                fault: .damaged(
                    path: path, list: name?.string ?? "", reason: "the line of the list does not fit its checksum"))
        }
        return (lists + damaged, try strays(database, path: path, isEveryListKnown: found.damaged.isEmpty))
    }

    /// Rows whose list has no record.
    private static func strays(
        _ database: Database, path: String, isEveryListKnown: Bool
    ) throws -> [ListStoreError] {
        guard isEveryListKnown else { return [] }
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
