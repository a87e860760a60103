#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How a file is followed: by what it is known to be another, and when it is whole.
enum FollowedFile {
    /// Whoever writes it closes it.
    case whole
    /// Others add to it all the time, and never close it.
    case growing
    /// A SQLite database, which keeps what is being written apart: https://www.sqlite.org/tempfiles.html
    case database

    /// Whether somebody is writing it.
    enum Writing: Hashable {
        case nobody
        /// What ends that happens in the folder.
        case heard
        /// What ends that happens nowhere in the file system.
        case unheard
    }

    /// What tells one state of it from another.
    func stamps(of path: String) -> [FileStamp?] {
        guard self == .database else { return [FileStamp(path: path)] }
        let place = place(of: path)
        // A reader may leave an empty log behind, which tells nothing.
        let log = FileStamp(path: "\(place)-wal").flatMap { $0.size > 0 ? $0 : nil }
        return [FileStamp(path: place), log, Self.hasJournal(place) ? FileStamp(path: "\(place)-journal") : nil]
    }

    /// Whether it is whole at the moment.
    func writing(of path: String) -> Writing {
        switch self {
        case .whole: return Self.hasWriter(path) ? .heard : .nobody
        case .growing: return .nobody
        case .database:
            let place = place(of: path)
            return Self.hasJournal(place) ? .heard : SQLiteLogLock.isHeld(on: place) ? .unheard : .nobody
        }
    }

    /// Where what has to be heard of happens. SQLite follows links before it looks for what is beside a database.
    func place(of path: String) -> String {
        guard self == .database, let place = realpath(path, nil) else { return path }
        defer { free(place) }
        return String(cString: place)
    }

    private static func hasWriter(_ path: String) -> Bool {
        guard let stamp = FileStamp(path: path), stamp.isRegular else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        return FileWriters.of(file) == .some
    }

    /// Whether a rollback journal is in use. One that is kept for later begins with zeros, or is empty:
    /// https://www.sqlite.org/pragma.html#pragma_journal_mode
    private static func hasJournal(_ place: String) -> Bool {
        let file = open("\(place)-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var first: UInt8 = 0
        return read(file, &first, 1) == 1 && first != 0
    }
}
