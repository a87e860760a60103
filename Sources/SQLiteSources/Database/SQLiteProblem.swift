import GRDBSQLite
import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why a database can't be read, as a message without its path.
struct SQLiteProblem: Error {
    private let code: Int32
    private let message: String
    private let path: String

    /// SQLite's message about its last call.
    init(code: Int32, of connection: OpaquePointer?, path: String) {
        self.code = code
        self.path = path
        message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    }

    /// Whether the files can't be made that a database in WAL mode has beside it while it is open:
    /// https://www.sqlite.org/wal.html#read_only_databases
    var isForWantOfFilesBeside: Bool {
        [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xFF) && !isHalfDone
    }

    /// Whether a writer seems to have died amid a change: SQLITE_READONLY_ROLLBACK, which Swift does not import.
    var isHalfDone: Bool { code == SQLITE_READONLY | 3 << 8 }

    /// https://www.sqlite.org/rescode.html
    var explanation: SourceError {
        let detail = "Cannot read \(path): \(message) (SQLite's code \(code))."
        return switch code & 0xFF {
        case SQLITE_NOTADB:
            SourceError(
                message: Self.mayBeEncrypted(path)
                    ? "The file is not an SQLite database, or it is encrypted." : "The file is not an SQLite database.",
                detail: "\(detail) Other databases, and encrypted ones, are read by a command.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            SourceError(
                message: "The database is locked by another program.",
                detail: "\(detail) It was waited for. A database in WAL mode can be read while others write.")
        case SQLITE_CORRUPT:
            SourceError(message: "The database is damaged.", detail: "\(detail) See sqlite3 and its .recover.")
        case SQLITE_READONLY where isHalfDone:
            SourceError(
                message: "The database was left amid a change.",
                detail: "\(detail) A program that may write has to open it once, as sqlite3 does, to take it back.")
        case SQLITE_READONLY, SQLITE_CANTOPEN:
            SourceError(
                message: "The database can't be opened.",
                detail: "\(detail) One in WAL mode has files beside it: let the user write there whom the server runs "
                    + "as, or the program that has it open, and them.")
        case SQLITE_IOERR: SourceError(message: "The database can't be read.", detail: detail)
        default: SourceError(message: "The query failed: \(message).", detail: detail)
        }
    }

    /// - Throws: if no file is there that may be read.
    static func checkFile(_ path: String) throws(SourceError) {
        guard let stamp = FileStamp(path: path) else {
            throw SourceError(message: "The database is not there.", detail: "Cannot read \(path): \(systemError).")
                .coded("sourceMissing")
        }
        guard !stamp.isFolder else {
            throw SourceError(message: "What should be a database is a folder.", detail: "It is \(path).")
        }
        guard stamp.isRegular else {
            throw SourceError(message: "What should be a database is no file.", detail: "It is \(path).")
        }
        guard access(path, R_OK) == 0 else {
            throw SourceError(
                message: "The database may not be read.",
                detail: "Cannot read \(path): \(systemError). Let the user read it whom the server runs as.")
        }
    }

    /// Where in a query SQLite stopped; nil where it does not say.
    static func place(of connection: OpaquePointer, in query: String) -> TextPosition? {
        guard let offset = errorOffset?(connection), offset >= 0 else { return nil }
        return TextPosition(at: Int(offset), in: Array(query.utf8))
    }

    private static var systemError: String { String(cString: strerror(errno)).lowercased() }

    /// sqlite3_error_offset, which SQLite has since 3.38 (2022): its header need not.
    private static let errorOffset: (@convention(c) (OpaquePointer?) -> Int32)? =
        dlsym(dlopen(nil, RTLD_NOW), "sqlite3_error_offset").map {
            unsafeBitCast($0, to: (@convention(c) (OpaquePointer?) -> Int32).self)
        }

    /// A database that is encrypted whole is pages of noise.
    private static func mayBeEncrypted(_ path: String) -> Bool {
        guard let stamp = FileStamp(path: path), stamp.size > 0, stamp.size % 512 == 0 else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 64)
        let count = head.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        return head.prefix(max(0, count)).contains { $0 >= 0x80 } && String(validating: head, as: UTF8.self) == nil
    }
}
