import GRDBSQLite
import ListSources
import Locking

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

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Stops a query from another thread: amid its work, and while it waits for a lock.
///
/// Not `sqlite3_interrupt`, which does nothing to a query that has not begun yet.
final class SQLiteInterrupt: Sendable {
    /// In milliseconds, between two looks at a lock.
    private static let pause = 10
    /// In instructions of SQLite's machine, between two looks at the interrupt: well below a millisecond.
    private static let stride: Int32 = 10_000

    private let mostPauses: Int
    private let isSet = Locked(false)

    /// - Parameter patience: how long a lock is waited for.
    init(patience: Duration) {
        mostPauses = Int(patience / .milliseconds(Self.pause))
    }

    var isRequested: Bool { isSet.withLock { $0 } }

    func request() { isSet.withLock { $0 = true } }

    /// Has SQLite ask this interrupt, which has to outlive the connection.
    func install(on connection: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(connection, Self.stride, { SQLiteInterrupt.of($0).isRequested ? 1 : 0 }, context)
        sqlite3_busy_handler(connection, { SQLiteInterrupt.of($0).waits(after: Int($1)) ? 1 : 0 }, context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> SQLiteInterrupt {
        Unmanaged<SQLiteInterrupt>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
    }

    /// Waits a little for a lock; false: for long enough.
    func waits(after pauses: Int) -> Bool {
        guard pauses < mostPauses, !isRequested else { return false }
        poll(nil, 0, Int32(Self.pause))
        return true
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
