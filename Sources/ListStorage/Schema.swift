import GRDB

/// The tables, and how a file is told from others.
///
/// Keys and fields are blobs: bytes in, the same bytes out, whatever SQLite takes for text. Rows of all lists share a
/// table in the order of list and key, so that a commit touches few pages.
enum Schema {
    /// The version this program writes, kept in `PRAGMA user_version`.
    static let version = 1
    /// "RfLs", kept in `PRAGMA application_id`: what `file` and we tell our files by.
    static let application = 0x5266_4C73

    /// Makes a new file ours, and refuses one that is not, or that is of a later version.
    static func prepare(_ database: Database, path: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        if isEmpty, version == 0 { return try create(database) }
        guard application == Schema.application else {
            throw ListStoreError.anotherProgram(path: path)
        }
        guard version <= Schema.version else {
            throw ListStoreError.newerVersion(path: path, found: version, known: Schema.version)
        }
    }

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE openings (
                    only INTEGER PRIMARY KEY CHECK (only = 1),
                    boot TEXT, inode INTEGER NOT NULL, isClosed INTEGER NOT NULL);
                CREATE TABLE lists (
                    id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, epoch INTEGER NOT NULL,
                    revision INTEGER NOT NULL, floor INTEGER NOT NULL, runs INTEGER NOT NULL,
                    updatedAt INTEGER, staleSince INTEGER, lastRun BLOB);
                CREATE TABLE rows (
                    list INTEGER NOT NULL, key BLOB NOT NULL, position INTEGER NOT NULL,
                    fieldsRevision INTEGER NOT NULL, positionRevision INTEGER NOT NULL, fields BLOB NOT NULL,
                    PRIMARY KEY (list, key)) WITHOUT ROWID;
                CREATE TABLE tombstones (
                    list INTEGER NOT NULL, key BLOB NOT NULL, revision INTEGER NOT NULL, removedAt INTEGER NOT NULL,
                    PRIMARY KEY (list, key)) WITHOUT ROWID;
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(version);
                """)
    }
}
