import Foundation
import GRDB
import KeyedLists
import ListStorage
import Locking

/// Gives out the first rows of a long list before all were read: by their keys, which are kept with each commit that changes them.
extension ListDatabase {
    /// Reads the head of a list. Nil where there is none, where anything of it is not as it was written (`load` says what), and amid a
    /// commit that is being staged, of which rows are in the table already.
    func head(of name: Key) throws -> ListHead? {
        let (token, damage) = memory.withLock { ($0.mark.token, $0.damage[name]) }
        if let damage { throw damage }
        return try pool.read { database in
            // What another program has put there is not ours to give out, before it has new epochs.
            guard try Self.opening(database)?.token == token,
                let record = try ListRecord.named(name, database, path: path), let id = record.id, record.staged == nil,
                let head = try HeadKeys(of: id, database), let rows = try Self.rows(of: head, list: id, database)
            else { return nil }
            return ListHead(
                epoch: record.epoch, revision: record.revision, rows: rows, count: head.count, facts: record.facts)
        }
    }

    private static func rows(of head: HeadKeys, list: Int64, _ database: Database) throws -> [PlacedRow]? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(RowColumns.names) FROM rows WHERE list = ? AND key = ?")
        var rows: [PlacedRow] = []
        for key in head.keys {
            let cursor = try GRDB.Row.fetchCursor(statement, arguments: [list, key.data])
            // The statement stands at the row for as long as there is the cursor.
            let found = try withExtendedLifetime(cursor) {
                try cursor.next() == nil ? nil : soundRow(of: statement, list)
            }
            guard let found, found.position > rows.last?.position ?? 0 else { return nil }
            rows.append(found)
        }
        return rows
    }

    private static func soundRow(of statement: GRDB.Statement, _ list: Int64) -> PlacedRow? {
        let columns = RowColumns(of: statement)
        return columns.row.flatMap { columns.checksum == Checksum($0, list: list).value ? $0 : nil }
    }
}

extension HeadKeys {
    /// Reads those of a list; nil where there are none that are as we wrote them.
    fileprivate init?(of list: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "SELECT count, keys, checksum FROM heads WHERE list = ?")
        guard let row = try GRDB.Row.fetchOne(statement, arguments: [list]),
            let count = Int.fromDatabaseValue(row[0]), let bytes = Data.fromDatabaseValue(row[1])
        else { return nil }
        self.init(keys: Self.decode(bytes), count: count)
        guard Int.fromDatabaseValue(row[2]) == Checksum(self, list: list).value else { return nil }
    }

    /// Each key: how many bytes it has, in four of them, the lowest first; and these.
    var encodedKeys: Data {
        var bytes = Data()
        for key in keys {
            let text = key.data
            withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(text)
        }
        return bytes
    }

    /// What is not whole is left out: then the checksum does not fit.
    private static func decode(_ bytes: Data) -> [Key] {
        var keys: [Key] = []
        var rest = bytes[...]
        while rest.count >= 4 {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            keys.append(Key(String(decoding: rest.prefix(count), as: UTF8.self)))
            rest = rest.dropFirst(count)
        }
        return keys
    }
}
