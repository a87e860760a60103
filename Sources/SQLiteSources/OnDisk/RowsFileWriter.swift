import GRDBSQLite
import KeyedLists
import ListSources
import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes the rows that a source produces to a new file beside another, whose place it takes once they are all there.
///
/// Whoever yields rows waits until they are written: so a source that is read faster than the disk writes does not fill the memory.
final class RowsFileWriter: RowSink {
    /// The file as it is written. On one thread at a time.
    private struct Writing {
        var database: OpaquePointer?
        var insert: OpaquePointer?
        var count = 0
        /// Whether the source tells how far it is.
        var isReported = false
        /// Why it can't be written; what follows is dropped.
        var fault: (any Error)?
    }

    /// So many rows after one report of their number comes the next.
    private static let reportInterval = 10_000

    /// Pages of 16 KiB: who looks for words reads all of them, each with a call of the system.
    private static let tables = """
        PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA application_id = 0x52527773;
        CREATE TABLE rows (place INTEGER PRIMARY KEY, key TEXT NOT NULL, fields BLOB NOT NULL) STRICT; BEGIN
        """
    /// SQLITE_STATIC, which Swift does not import: what is bound stays until the row is written.
    private static let stays: sqlite3_destructor_type? = nil

    private let path: String
    private let draft: String
    private let report: ProgressReport
    /// Held while rows are written: nobody but their source waits for it.
    private let writing = Locked(Writing())

    /// - Throws: `SourceError` where no file can be made there.
    init(beside path: String, _ report: @escaping ProgressReport) throws {
        self.path = path
        self.report = report
        draft = "\(path).\(UInt32.random(in: 0 ... .max)).new"
        // There already, unless it is the first.
        if let end = path.lastIndex(of: "/") { mkdir(String(path[..<end]), 0o700) }
        try writing.withLock { writing in
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            try check(sqlite3_open_v2(draft, &writing.database, flags, nil), writing)
            try check(sqlite3_exec(writing.database, Self.tables, nil, nil, nil), writing)
            let insert = "INSERT INTO rows VALUES (?, ?, ?)"
            try check(sqlite3_prepare_v2(writing.database, insert, -1, &writing.insert, nil), writing)
        }
    }

    /// Removes the files of runs that were never finished.
    static func removeUnfinished(beside path: String) {
        var pattern = ""
        for character in path { pattern += "\\[]*?".contains(character) ? "\\\(character)" : "\(character)" }
        var files = glob_t()
        defer { globfree(&files) }
        guard glob("\(pattern).*.new", 0, nil, &files) == 0 else { return }
        for file in UnsafeBufferPointer(start: files.gl_pathv, count: Int(files.gl_pathc)) {
            if let file { unlink(file) }
        }
    }

    deinit {
        endWriting()
        // Not there any more where it took the other's place.
        unlink(draft)
    }

    func yield(_ rows: [ListRow]) {
        writing.withLock { writing in
            guard writing.fault == nil, writing.insert != nil else { return }
            do {
                for row in rows { try write(row, &writing) }
            } catch {
                writing.fault = error
            }
        }
        tell(rows.count)
    }

    /// By the index that is made at the end.
    var checksKeys: Bool { true }

    func progress(_ completed: Int, of total: Int?, note: String?) {
        writing.withLock { $0.isReported = true }
        report(completed, total, note)
    }

    /// Tells how many rows there are, where the source tells nothing: it shows that the run goes on.
    private func tell(_ more: Int) {
        let count = writing.withLock { writing -> Int? in
            let isDue = writing.count / Self.reportInterval > (writing.count - more) / Self.reportInterval
            return isDue && !writing.isReported ? writing.count : nil
        }
        if let count { report(count, nil, nil) }
    }

    /// Puts the file in the other's place.
    ///
    /// - Throws: `DuplicateKey`; `SourceError`.
    func finish() throws {
        try writing.withLock { writing in
            if let fault = writing.fault { throw fault }
            guard
                sqlite3_exec(writing.database, "CREATE UNIQUE INDEX rows_by_key ON rows (key)", nil, nil, nil)
                    == SQLITE_OK
            else { throw duplicate(in: writing) ?? problem(writing) }
            try check(sqlite3_exec(writing.database, "COMMIT", nil, nil, nil), writing)
        }
        endWriting()
        try putInPlace()
    }

    private func write(_ row: ListRow, _ writing: inout Writing) throws {
        let insert = writing.insert
        sqlite3_bind_int64(insert, 1, Int64(writing.count))
        let code = row.key.withBytes { key in
            row.fields.bytes.withUnsafeBytes { fields in
                sqlite3_bind_text(
                    insert, 2, key.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(key.count), Self.stays)
                sqlite3_bind_blob(insert, 3, fields.baseAddress, Int32(fields.count), Self.stays)
                defer { sqlite3_reset(insert) }
                return sqlite3_step(insert)
            }
        }
        guard code == SQLITE_DONE else { throw problem(writing) }
        writing.count += 1
    }

    private func duplicate(in writing: Writing) -> DuplicateKey? {
        var statement: OpaquePointer?
        let sql = "SELECT key FROM rows GROUP BY key HAVING count(*) > 1 ORDER BY min(place) LIMIT 1"
        sqlite3_prepare_v2(writing.database, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW, let key = sqlite3_column_text(statement, 0) else { return nil }
        return DuplicateKey(key: Key(String(cString: key)))
    }

    /// The whole of it is on the disk before it has the name that counts.
    private func putInPlace() throws {
        let file = open(draft, O_RDONLY)
        let isSaved = file >= 0 && fsync(file) == 0
        if file >= 0 { _ = close(file) }
        guard isSaved, rename(draft, path) == 0 else { throw Self.unwritable(path, "error \(errno)") }
    }

    private func endWriting() {
        writing.withLock { writing in
            sqlite3_finalize(writing.insert)
            sqlite3_close_v2(writing.database)
            (writing.insert, writing.database) = (nil, nil)
        }
    }

    private func check(_ code: Int32, _ writing: Writing) throws(SourceError) {
        guard code == SQLITE_OK else { throw problem(writing) }
    }

    private func problem(_ writing: Writing) -> SourceError {
        Self.unwritable(path, writing.database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
    }

    private static func unwritable(_ path: String, _ reason: String) -> SourceError {
        SourceError(
            message: "The rows can't be kept.",
            detail:
                "Cannot write \(path): \(reason). See to it that there is room, and that the server may write in that folder."
        )
    }
}
