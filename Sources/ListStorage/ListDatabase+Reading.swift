import Foundation
import GRDB
import KeyedLists

/// What is read and written outside of commits.
extension ListDatabase {
    static func opening(_ database: Database) throws -> History.Opening? {
        guard let row = try GRDB.Row.fetchOne(database, sql: "SELECT boot, inode, isClosed, token FROM openings") else {
            return nil
        }
        return History.Opening(
            boot: row["boot"], inode: UInt64(bitPattern: row["inode"] as Int64), isClosed: row["isClosed"],
            token: (row["token"] as Int64?).map { UInt64(bitPattern: $0) })
    }

    static func record(_ opening: History.Opening, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO openings (only, boot, inode, isClosed, token) VALUES (1, ?, ?, ?, ?)",
            arguments: [
                opening.boot, Int64(bitPattern: opening.inode), opening.isClosed,
                opening.token.map { Int64(bitPattern: $0) },
            ])
    }

    static func record(_ token: UInt64, _ database: Database) throws {
        try database.execute(sql: "UPDATE openings SET token = ?", arguments: [Int64(bitPattern: token)])
    }

    /// The sum of all revisions and run numbers.
    static func tally(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT coalesce(sum(revision + runs), 0) FROM lists") ?? 0
    }

    static func record(of name: Key, _ database: Database) throws -> ListRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM lists WHERE name = ?")
        return try GRDB.Row.fetchOne(statement, arguments: [name.data]).map { ListRecord($0, name: name) }
    }

    /// Adds a list, and returns its `id`.
    static func create(_ name: Key, in epoch: Epoch, _ database: Database) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO lists (name, epoch, revision, floor, runs) VALUES (?, ?, 0, 0, 0)",
            arguments: [name.data, Int64(bitPattern: epoch.value)])
        return database.lastInsertedRowID
    }

    static func set(_ epoch: Epoch, of list: Int64, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE lists SET epoch = ? WHERE id = ?", arguments: [Int64(bitPattern: epoch.value), list])
    }

    static func renewEpochs(_ database: Database) throws {
        for list in try Int64.fetchAll(database, sql: "SELECT id FROM lists") {
            try set(Epoch.random(), of: list, database)
        }
    }

    /// All rows of a list, in order of position.
    static func rows(of list: Int64, _ database: Database) throws -> [PlacedRow] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT key, position, fieldsRevision, positionRevision, fields FROM rows
                WHERE list = ? ORDER BY position
                """)
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: [list])
        var rows: [PlacedRow] = []
        while let row = try cursor.next() {
            rows.append(
                PlacedRow(
                    key: try row.name(at: 0), fields: Fields(canonical: try row.bytes(at: 4)), position: row[1],
                    fieldsRevision: row[2], positionRevision: row[3]))
        }
        return rows
    }

    /// All tombstones of a list, in order of revision.
    static func tombstones(of list: Int64, _ database: Database) throws -> [Tombstone] {
        let statement = try database.cachedStatement(
            sql: "SELECT key, revision, removedAt FROM tombstones WHERE list = ? ORDER BY revision")
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: [list])
        var tombstones: [Tombstone] = []
        while let row = try cursor.next() {
            tombstones.append(Tombstone(key: try row.name(at: 0), revision: row[1], removedAt: row[2]))
        }
        return tombstones
    }
}

extension Key {
    /// The UTF-8 bytes, as they are kept.
    var data: Data { Data(string.utf8) }
}

extension GRDB.Row {
    fileprivate func bytes(at column: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: column) { [UInt8]($0 ?? Data()) }
    }

    fileprivate func name(at column: Int) throws -> KeyedLists.Key {
        try withUnsafeData(atIndex: column) { KeyedLists.Key(String(decoding: $0 ?? Data(), as: UTF8.self)) }
    }
}
