import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether a transaction is going into a database's write-ahead log.
///
/// What stands in the log is not there for readers before its writer has synchronised it, which may take long, and
/// then says so in memory that the programs share; no file tells of that. All the while the writer holds a lock on a
/// byte of the index beside the log: https://www.sqlite.org/walformat.html#wal_locks
enum SQLiteLogLock {
    /// Open indices by path, one for each database that was ever followed. None is closed while it is the one of its
    /// database: that would let go of all locks that this process has on it, which are SQLite's.
    /// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
    private static let indices = Locked<[String: Int32]>([:])

    /// WAL_WRITE_LOCK, in bytes from the start of the index.
    private static let writing: off_t = 120

    /// - Parameter place: of the database itself, without links.
    static func isHeld(on place: String) -> Bool {
        indices.withLock { indices in
            guard let file = file(of: "\(place)-shm", &indices) else { return false }
            var lock = flock()
            lock.l_type = Int16(F_RDLCK)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = writing
            lock.l_len = 1
            // As an open file asks, not as a process does, to which its own locks are none.
            guard fcntl(file, Self.ask, &lock) == 0 else { return false }
            return lock.l_type != F_UNLCK
        }
    }

    private static func file(of path: String, _ indices: inout [String: Int32]) -> Int32? {
        guard let stamp = FileStamp(path: path) else { return nil }
        if let file = indices[path] {
            if FileStamp(file: file)?.isOfSameFile(as: stamp) == true { return file }
            // SQLite removes an index only when nobody has a lock on it.
            indices[path] = nil
            close(file)
        }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        indices[path] = file
        return file
    }

    /// F_OFD_GETLK, from asm-generic/fcntl.h and sys/fcntl.h, which Swift does not import.
    #if canImport(Darwin)
        private static let ask: Int32 = 92
    #else
        private static let ask: Int32 = 36
    #endif
}
