import GRDBSQLite

/// One open database that is only read. Of one thread; closed when it is let go.
final class SQLiteConnection {
    let handle: OpaquePointer
    private let path: String
    private let interrupt: SQLiteInterrupt

    /// - Parameters:
    ///   - path: of a file that exists; SQLite would take some others for a database in memory.
    ///   - isStill: whether nobody writes it: then no lock is taken, and no file beside it is needed. Whoever says so
    ///     has to see to it.
    init(path: String, isStill: Bool, interrupt: SQLiteInterrupt) throws {
        self.path = path
        self.interrupt = interrupt
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = sqlite3_open_v2(Self.uri(of: path, isStill: isStill), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let problem = SQLiteProblem(code: code, of: opened, path: path)
            sqlite3_close_v2(opened)
            throw problem
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        interrupt.install(on: handle)
    }

    deinit {
        // The statements of this connection keep it, so there are none left.
        sqlite3_close_v2(handle)
    }

    /// The error of a call that gave this result code.
    func failure(_ code: Int32) -> any Error {
        if interrupt.isRequested { return CancellationError() }
        return SQLiteProblem(code: code, of: handle, path: path)
    }

    /// The error of a query that could not be understood.
    func failure(_ code: Int32, in query: String) -> any Error {
        // A syntax error that comes before the tables were read is reported as SQLITE_SCHEMA.
        guard [SQLITE_ERROR, SQLITE_SCHEMA].contains(code & 0xFF), !interrupt.isRequested else { return failure(code) }
        let place = SQLiteProblem.place(of: handle, in: query).map { " (\($0))" } ?? ""
        return SourceError(message: "The query has a fault: \(String(cString: sqlite3_errmsg(handle)))\(place).")
    }

    /// https://www.sqlite.org/uri.html, with every byte of the path encoded that means something there.
    private static func uri(of path: String, isStill: Bool) -> String {
        let marks: [Unicode.Scalar: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        let encoded = path.unicodeScalars.map { marks[$0] ?? String($0) }.joined()
        // An empty authority, so that a path with two slashes has none of its own.
        return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded)\(isStill ? "?immutable=1" : "")"
    }
}
