import GRDBSQLite

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
