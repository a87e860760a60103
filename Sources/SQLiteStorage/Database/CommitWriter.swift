import Foundation
import GRDB
import GRDBSQLite
import KeyedLists
import ListStorage

/// Writes the rows and tombstones of one list, inside a transaction: only what a commit names. Statements are prepared once
/// for the connection.
struct CommitWriter {
    private let database: Database
    private let list: Int64
    /// Whether what is overwritten is put aside, for the case that it is taken back.
    private let keepsOld: Bool
    /// The checksums of all that the list has, added up.
    private(set) var sum: Int

    /// For a list that is in the database, with the sum of its line.
    init(_ database: Database, list: Int64, sum: Int, keepsOld: Bool = false) {
        self.database = database
        self.list = list
        self.keepsOld = keepsOld
        self.sum = sum
    }

    /// Writes rows and tombstones.
    mutating func write(_ commit: Commit) throws {
        if !commit.rows.isEmpty { try put(commit.rows, at: commit.revision, isNew: commit.hasOnlyNewRows) }
        try bury(commit.tombstones)
    }

    /// Gives a list of a file of version 2 its checksums.
    mutating func addChecksums(to stored: StoredRows) throws {
        for row in stored.rows {
            try execute(
                "UPDATE rows SET checksum = ? WHERE list = ? AND key = ?",
                [Checksum(row, list: list).value, list, row.key.data])
        }
        for tombstone in stored.tombstones {
            try execute(
                "UPDATE tombstones SET checksum = ? WHERE list = ? AND key = ?",
                [Checksum(tombstone, list: list).value, list, tombstone.key.data])
        }
        sum = stored.sum
    }

    /// Deletes the tombstones of a revision and of those before it, the oldest first.
    ///
    /// - Parameter count: no more than these; nobody sees those that are left.
    /// - Returns: whether none is left.
    @discardableResult
    mutating func forget(upTo floor: Revision, _ count: Int = .max) throws -> Bool {
        let find = try database.cachedStatement(
            sql: "SELECT key, checksum FROM tombstones WHERE list = ? AND revision <= ? ORDER BY revision LIMIT ?")
        let found = try GRDB.Row.fetchAll(find, arguments: [list, floor, count])
        for tombstone in found {
            sum -= Int.fromDatabaseValue(tombstone[1]) ?? 0
            try execute(
                "DELETE FROM tombstones WHERE list = ? AND key = ?", [list, Data.fromDatabaseValue(tombstone[0])])
        }
        return found.count < count
    }

    /// Writes rows.
    ///
    /// - Parameter isNew: whether none of them was there: then none has a checksum to take away, which is most of what a first
    ///   commit costs.
    mutating func put(_ rows: some Sequence<PlacedRow>, at revision: Revision, isNew: Bool) throws {
        let find = try database.cachedStatement(sql: "SELECT checksum FROM rows WHERE list = ? AND key = ?")
        // Most lists have none, and then no row is looked up there.
        let hasTombstones = try number("SELECT 1 FROM tombstones WHERE list = ? LIMIT 1", [list]) != nil
        let write = try database.cachedStatement(
            sql: """
                INSERT INTO rows (list, key, position, fieldsRevision, positionRevision, fields, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (list, key) DO UPDATE SET position = excluded.position, fields = excluded.fields,
                    fieldsRevision = excluded.fieldsRevision, positionRevision = excluded.positionRevision,
                    checksum = excluded.checksum
                """)
        for row in rows {
            let checksum = Checksum(row, list: list).value
            sum += checksum
            if !isNew {
                let key = row.key.data
                if keepsOld { try putAside("rows", in: "undoRows", key) }
                sum -= try Int.fetchOne(find, arguments: [list, key]) ?? 0
            }
            try write.execute(list, row, checksum)
            // Only a row that has just come can have left a tombstone before.
            if hasTombstones, row.fieldsRevision == revision, row.positionRevision == revision {
                try unbury(row.key.data)
            }
        }
    }

    private mutating func unbury(_ key: Data) throws {
        guard let checksum = try number("SELECT checksum FROM tombstones WHERE list = ? AND key = ?", [list, key])
        else {
            return
        }
        if keepsOld { try putAside("tombstones", in: "undoTombstones", key) }
        sum -= checksum
        try execute("DELETE FROM tombstones WHERE list = ? AND key = ?", [list, key])
    }

    /// Writes tombstones, and deletes their rows.
    mutating func bury(_ tombstones: some Sequence<Tombstone>) throws {
        for tombstone in tombstones { try bury(tombstone) }
    }

    private mutating func bury(_ tombstone: Tombstone) throws {
        let key = tombstone.key.data
        if keepsOld { try putAside("rows", in: "undoRows", key) }
        sum -= try number("SELECT checksum FROM rows WHERE list = ? AND key = ?", [list, key]) ?? 0
        try execute("DELETE FROM rows WHERE list = ? AND key = ?", [list, key])
        let checksum = Checksum(tombstone, list: list).value
        sum += checksum
        try execute(
            "INSERT INTO tombstones (list, key, revision, removedAt, checksum) VALUES (?, ?, ?, ?, ?)",
            [list, key, tombstone.revision, tombstone.removedAt, checksum])
    }

    /// Keeps what comes with facts.
    func keep(_ facts: StoredFacts) throws {
        try keep(facts.actionRuns)
        if let head = facts.head { try keep(head) }
        for unread in facts.unread {
            try execute(
                "INSERT OR REPLACE INTO unread (list, person, keys, checksum) VALUES (?, ?, ?, ?)",
                [list, Data(unread.person.utf8), Data(unread.keys), Checksum(unread, list: list).value])
        }
    }

    private func keep(_ head: HeadKeys) throws {
        guard !head.keys.isEmpty else { return try execute("DELETE FROM heads WHERE list = ?", [list]) }
        try execute(
            "INSERT OR REPLACE INTO heads (list, count, keys, checksum) VALUES (?, ?, ?, ?)",
            [list, head.count, head.encodedKeys, Checksum(head, list: list).value])
    }

    /// Keeps runs of actions, and forgets old ones.
    private func keep(_ runs: [StoredActionRun]) throws {
        guard let newest = runs.last else { return }
        for run in runs {
            try execute(
                """
                INSERT OR REPLACE INTO actionRuns (list, key, run, begunAt, state, checksum) VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    list, Data(run.key), run.run, run.begunAt, Data(run.state), Checksum(run, list: list).value,
                ])
        }
        // Now and then: what is too old does no harm.
        guard newest.begunAt % 64 == 0 else { return }
        try execute(
            """
            DELETE FROM actionRuns WHERE list = ? AND begunAt < max(?, ifnull(
                (SELECT begunAt FROM actionRuns WHERE list = ? ORDER BY begunAt DESC LIMIT 1 OFFSET ?), 0))
            """,
            [list, newest.begunAt - StoredActionRun.age, list, StoredActionRun.most])
    }

    private func putAside(_ table: String, in undo: String, _ key: Data) throws {
        try execute("INSERT INTO \(undo) SELECT * FROM \(table) WHERE list = ? AND key = ?", [list, key])
    }

    /// What one column of one line holds; nil where there is no such line.
    private func number(_ sql: String, _ arguments: StatementArguments) throws -> Int? {
        try Int.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments)
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension GRDB.Statement {
    /// Writes a row, by SQLite's own functions: most of what a first commit costs.
    fileprivate func execute(_ list: Int64, _ row: PlacedRow, _ checksum: Int) throws {
        let numbers = [
            (1, list), (3, Int64(row.position)), (4, Int64(row.fieldsRevision)), (5, Int64(row.positionRevision)),
            (7, Int64(checksum)),
        ]
        for (place, number) in numbers { try check(sqlite3_bind_int64(sqliteStatement, Int32(place), number)) }
        try row.key.withBytes { key in
            try row.fields.bytes.withUnsafeBytes { fields in
                // They are there until it is done, so they are not copied.
                try bind(key, at: 2)
                try bind(fields, at: 6)
                let code = sqlite3_step(sqliteStatement)
                sqlite3_reset(sqliteStatement)
                sqlite3_clear_bindings(sqliteStatement)
                try check(code == SQLITE_DONE ? SQLITE_OK : code)
            }
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32) throws {
        // Nothing at all would be NULL.
        guard bytes.count > 0 else { return try check(sqlite3_bind_zeroblob(sqliteStatement, place, 0)) }
        try check(sqlite3_bind_blob(sqliteStatement, place, bytes.baseAddress, Int32(bytes.count), nil))
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)))
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}

extension Commit {
    /// Whether no row that it has was there before.
    var hasOnlyNewRows: Bool { changes.inserted == rows.count }
}
