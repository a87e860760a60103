import GRDB

/// The tables, and how a file is told from others.
///
/// Keys and fields are blobs: bytes in, the same bytes out, whatever SQLite takes for text. Rows of all lists share a
/// table in the order of list and key, so that a commit touches few pages. A commit that is too large for one transaction
/// puts what it overwrites aside first (`undoRows`, `undoTombstones`).
///
/// A step is never changed once it was released: files of every version are brought up to date by the steps after it, in
/// one transaction with the first use, and a new file takes all of them.
enum Schema {
    /// The version this program writes, kept in `PRAGMA user_version`.
    static var version: Int { steps.count }
    /// "RfLs", kept in `PRAGMA application_id`: what `file` and we tell our files by.
    static let application = 0x5266_4C73

    /// What leads from each version to the next, from an empty file on.
    private static let steps = [
        """
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
        """,
        // 2: what the mark in the folder's lock must agree with.
        "ALTER TABLE openings ADD COLUMN token INTEGER;",
        // 3: Checksum. The rows of a list get theirs when the list is first written, so that a large file opens at once.
        // And what a commit that is written in several transactions may have to take back: ListDatabase+Staging.
        """
        ALTER TABLE lists ADD COLUMN sum INTEGER;
        ALTER TABLE lists ADD COLUMN checksum INTEGER;
        ALTER TABLE rows ADD COLUMN checksum INTEGER;
        ALTER TABLE tombstones ADD COLUMN checksum INTEGER;
        CREATE INDEX tombstonesByRevision ON tombstones (list, revision);
        ALTER TABLE lists ADD COLUMN staged INTEGER;
        CREATE TABLE undoRows (
            list INTEGER NOT NULL, key BLOB NOT NULL, position INTEGER NOT NULL,
            fieldsRevision INTEGER NOT NULL, positionRevision INTEGER NOT NULL, fields BLOB NOT NULL, checksum INTEGER,
            PRIMARY KEY (list, key)) WITHOUT ROWID;
        CREATE TABLE undoTombstones (
            list INTEGER NOT NULL, key BLOB NOT NULL, revision INTEGER NOT NULL, removedAt INTEGER NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (list, key)) WITHOUT ROWID;
        """,
    ]

    /// Makes a new file ours, brings an older one up to date, and refuses one that is not ours or of a later version.
    static func prepare(_ database: Database, path: String) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard application == Schema.application || (isEmpty && found == 0) else {
            throw ListStoreError.anotherProgram(path: path)
        }
        guard found <= version else {
            throw ListStoreError.newerVersion(path: path, found: found, known: version)
        }
        guard found < version else { return }
        for step in steps[found...] { try database.execute(sql: step) }
        if found < 3 { try ListRecord.addChecksums(database) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }
}
