import Foundation
import GRDB
import GRDBSQLite
import KeyedLists
import ListStorage

/// The rows and tombstones of one list, read with a look at every checksum: what is not as we wrote it is an error that
/// names list and key, whatever the file holds in its place.
struct StoredRows {
    private(set) var rows: [PlacedRow] = []
    private(set) var tombstones: [Tombstone] = []
    private(set) var actionRuns: [StoredActionRun] = []
    private(set) var unread: [StoredUnread] = []
    /// Their checksums, added up.
    private(set) var sum = 0

    private let path: String
    private let list: ListRecord
    private let id: Int64
    /// The last key that could be read.
    private var last: Key?

    /// Reads all of a list that is in the database.
    init(of list: ListRecord, _ database: Database, path: String) throws {
        guard let id = list.id else { preconditionFailure("A list that is not in the database has no rows there.") }
        self.path = path
        self.list = list
        self.id = id
        do {
            try readRows(database)
            last = nil
            try readTombstones(database)
            try readActionRuns(database)
            try readUnread(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            let place = last.map { " after the key \"\($0)\"" } ?? ""
            throw damage("the file is damaged\(place) (\(error.message ?? "\(error.extendedResultCode)"))")
        }
        guard list.sum == nil || list.sum == sum else {
            throw damage("rows are missing, or of another state of the list than its line (the sum does not fit)")
        }
    }

    /// The list that they make.
    func restored() throws -> KeyedList {
        do {
            return try KeyedList(
                revision: list.revision, floor: list.floor, rows: rows, tombstones: tombstones)
        } catch {
            throw damage("\(error)")
        }
    }

    private mutating func readRows(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: select(
                RowColumns.names, from: "rows", or: "undoRows",
                revision: "max(fieldsRevision, positionRevision)"))
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments)
        while let row = try cursor.next() {
            let columns = RowColumns(of: statement)
            guard let placed = columns.row else { throw damage("the row \"\(row.key)\" can't be read") }
            try check(columns.checksum, Checksum(placed, list: id), "row", placed.key)
            if list.sum == nil { try checkText(placed, row.bytes(at: 0)) }
            rows.append(placed)
            last = placed.key
        }
    }

    private mutating func readTombstones(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: select(
                "key, revision, removedAt, checksum", from: "tombstones", or: "undoTombstones", revision: "revision"))
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments)
        while let row = try cursor.next() {
            let key = row.key
            guard let revision = Int.fromDatabaseValue(row[1]), let removedAt = Int64.fromDatabaseValue(row[2]) else {
                throw damage("the removal of \"\(key)\" can't be read")
            }
            let tombstone = Tombstone(key: key, revision: revision, removedAt: removedAt)
            try check(Int.fromDatabaseValue(row[3]), Checksum(tombstone, list: id), "removal of", key)
            tombstones.append(tombstone)
            last = key
        }
    }

    private mutating func readActionRuns(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT key, run, begunAt, state, checksum FROM actionRuns WHERE list = ? ORDER BY begunAt")
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: [id])
        while let row = try cursor.next() {
            guard let name = String.fromDatabaseValue(row[1]), let begunAt = Int64.fromDatabaseValue(row[2]) else {
                throw damage("a run of an action can't be read")
            }
            let run = StoredActionRun(
                key: row.bytes(at: 0), run: name, begunAt: begunAt, state: row.bytes(at: 3))
            guard Int.fromDatabaseValue(row[4]) == Checksum(run, list: id).value else {
                throw damage("the run \"\(name)\" of an action does not fit its checksum")
            }
            actionRuns.append(run)
        }
    }

    private mutating func readUnread(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT person, keys, checksum FROM unread WHERE list = ?")
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: [id])
        while let row = try cursor.next() {
            let found = StoredUnread(
                person: String(decoding: row.bytes(at: 0), as: UTF8.self), keys: row.bytes(at: 1))
            guard Int.fromDatabaseValue(row[2]) == Checksum(found, list: id).value else {
                throw damage("what \"\(found.person)\" has not seen does not fit its checksum")
            }
            unread.append(found)
        }
    }

    /// What is the list's: beside a commit that is being written, the lines that it has not touched, and those put aside.
    private func select(_ columns: String, from table: String, or undo: String, revision: String) -> String {
        let all = "SELECT \(columns) FROM \(table) WHERE list = ?"
        guard list.staged != nil else { return all }
        return "\(all) AND \(revision) < ? UNION ALL SELECT \(columns) FROM \(undo) WHERE list = ?"
    }

    private var arguments: StatementArguments { list.staged.map { [id, $0, id] } ?? [id] }

    private mutating func check(_ kept: Int?, _ found: Checksum, _ what: String, _ key: Key) throws {
        let value = found.value
        sum += value
        guard list.sum == nil || kept == value else {
            throw damage("the \(what) \"\(key)\" does not fit its checksum")
        }
    }

    /// A row that has no checksum yet has to be text that we might have written, or it would make the list's JSON none.
    private func checkText(_ row: PlacedRow, _ key: [UInt8]) throws {
        do {
            guard try Fields(canonicalising: row.fields.bytes) == row.fields, row.key.string.utf8.elementsEqual(key)
            else {
                throw damage("the row \"\(row.key)\" is not as a server writes it")
            }
        } catch let error as JSONError {
            throw damage("the fields of the row \"\(row.key)\" are no JSON object (\(error))")
        }
    }

    private func damage(_ reason: String) -> ListStoreError {
        .damaged(path: path, list: list.name.string, reason: reason)
    }
}

/// What a statement has found of a row, read by SQLite's own functions: most of what it costs to read a list.
struct RowColumns {
    /// What is to be selected.
    static let names = "key, position, fieldsRevision, positionRevision, fields, checksum"

    private let statement: SQLiteStatement

    /// - Parameter statement: which stands at a row.
    init(of statement: GRDB.Statement) { self.statement = statement.sqliteStatement }

    /// The row; nil where it can't be one.
    var row: PlacedRow? {
        guard let position = number(1), let fieldsRevision = number(2), let positionRevision = number(3) else {
            return nil
        }
        return PlacedRow(
            key: Key(String(decoding: bytes(0), as: UTF8.self)), fields: Fields(canonical: [UInt8](bytes(4))),
            position: position, fieldsRevision: fieldsRevision, positionRevision: positionRevision)
    }

    var checksum: Int? { number(5) }

    private func number(_ column: Int32) -> Int? {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return Int(sqlite3_column_int64(statement, column))
    }

    /// They are there until the statement goes on.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The length after the bytes: https://www.sqlite.org/c3ref/column_blob.html. Of none, and of NULL, both are nothing.
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}

extension GRDB.Row {
    fileprivate func bytes(at column: Int) -> [UInt8] {
        (Data.fromDatabaseValue(self[column])).map { [UInt8]($0) } ?? []
    }

    fileprivate var key: KeyedLists.Key { KeyedLists.Key(String(decoding: bytes(at: 0), as: UTF8.self)) }
}

extension Key {
    /// The UTF-8 bytes, as they are kept.
    var data: Data { Data(string.utf8) }
}
