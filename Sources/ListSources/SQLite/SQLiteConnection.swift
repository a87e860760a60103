import GRDBSQLite

/// One open database that is only read. Of one thread; closed when it is let go.
final class SQLiteConnection {
    let handle: OpaquePointer
    private let path: String
    private let brake: SQLiteBrake

    /// - Parameter path: of a file that exists; SQLite would take some others for a database in memory.
    init(path: String, brake: SQLiteBrake) throws {
        self.path = path
        self.brake = brake
        var opened: OpaquePointer?
        // https://www.sqlite.org/uri.html: what begins so may be read as a URI, whose words open for writing.
        let name = path.hasPrefix("file:") ? "./\(path)" : path
        let code = sqlite3_open_v2(name, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let problem = SQLiteProblem(code: code, of: opened, path: path)
            sqlite3_close_v2(opened)
            throw problem.explanation
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        brake.install(on: handle)
    }

    deinit {
        // The statements of this connection keep it, so there are none left.
        sqlite3_close_v2(handle)
    }

    /// The error of a call that gave this result code.
    func failure(_ code: Int32) -> any Error {
        if brake.isPulled { return CancellationError() }
        return SQLiteProblem(code: code, of: handle, path: path).explanation
    }

    /// The error of a query that could not be understood.
    func failure(_ code: Int32, in query: String) -> any Error {
        // A syntax error that comes before the tables were read is reported as SQLITE_SCHEMA.
        guard [SQLITE_ERROR, SQLITE_SCHEMA].contains(code & 0xFF), !brake.isPulled else { return failure(code) }
        let place = SQLiteProblem.place(of: handle, in: query).map { " (\($0))" } ?? ""
        return SourceError(message: "The query has a fault: \(String(cString: sqlite3_errmsg(handle)))\(place).")
    }
}
