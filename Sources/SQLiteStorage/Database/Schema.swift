import Foundation
import GRDB
import ListStorage

/// The tables, and the application id that identifies a file.
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
    /// "RfLs", stored in `PRAGMA application_id`: identifies our files, also to `file`.
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
        // 4: requests to act on a row, so that one sent again is not performed again; and which rows people have not seen.
        """
        CREATE TABLE actionRuns (
            list INTEGER NOT NULL, key BLOB NOT NULL, run TEXT NOT NULL, begunAt INTEGER NOT NULL, state BLOB NOT NULL,
            checksum INTEGER NOT NULL, PRIMARY KEY (list, key)) WITHOUT ROWID;
        CREATE INDEX actionRunsByTime ON actionRuns (list, begunAt);
        CREATE TABLE unread (
            list INTEGER NOT NULL, person BLOB NOT NULL, keys BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (list, person)) WITHOUT ROWID;
        """,
        // 5: which rows a long list begins with.
        """
        CREATE TABLE heads (
            list INTEGER PRIMARY KEY, count INTEGER NOT NULL, keys BLOB NOT NULL, checksum INTEGER NOT NULL);
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

/// The first bytes of a database file, read without SQLite: a file that is not ours is refused before anything of it, or
/// beside it, is touched.
///
/// https://www.sqlite.org/fileformat.html#the_database_header
struct FileHeader {
    private let bytes: [UInt8]

    /// Reads the header; nil if there is no file, or an empty one.
    init?(of path: String) throws(ListStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw ListStoreError(errno, path: path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw ListStoreError(errno, path: path) }
        if count == 0 { return nil }
        self.bytes = Array(bytes[..<count])
    }

    /// Throws if the file is no database, one of another program, or one of a later version. What a log still holds, SQLite
    /// tells afterwards.
    func check(path: String) throws(ListStoreError) {
        guard bytes.count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .notAStore(path: path, reason: "it is not a database")
        }
        guard number(at: 68) == Schema.application else {
            // The schema cookie: without one no table was ever made here, as when we ended while creating the file.
            guard number(at: 40) == 0 else { throw .anotherProgram(path: path) }
            return
        }
        let version = number(at: 60)
        guard version <= Schema.version else {
            throw .newerVersion(path: path, found: version, known: Schema.version)
        }
    }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
