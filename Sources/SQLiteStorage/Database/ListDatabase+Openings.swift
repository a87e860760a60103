import GRDB
import ListStorage

/// Reads and writes the record of the file's last opening.
extension ListDatabase {
    /// What the last opening recorded; nil if there is none that can be read, and so no history to trust.
    static func opening(_ database: Database) throws -> History.Opening? {
        let statement = try database.cachedStatement(sql: "SELECT boot, inode, isClosed, token FROM openings")
        guard let row = try GRDB.Row.fetchOne(statement), let inode = Int64.fromDatabaseValue(row[1]),
            let isClosed = Bool.fromDatabaseValue(row[2])
        else { return nil }
        return History.Opening(
            boot: String.fromDatabaseValue(row[0]), inode: UInt64(bitPattern: inode), isClosed: isClosed,
            token: Int64.fromDatabaseValue(row[3]).map { UInt64(bitPattern: $0) })
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

    /// A number that is another once others than this connection have written to the file.
    ///
    /// https://www.sqlite.org/pragma.html#pragma_data_version
    static func version(_ database: Database) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }
}
