#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether somebody has a file open to write it.
enum FileWriters: Hashable {
    case some, none
    /// The system does not say: the file is another user's, its file system has no leases, or this is no Linux.
    case unknown

    /// Asks by a lease: fcntl(2) gives one for reading only where nobody writes. It is let go of at once.
    static func of(_ file: Int32) -> FileWriters {
        #if os(Linux)
            // Whoever opens the file to write it in between waits for the lease to go, and this process is sent a
            // signal, which by default would end it: one that is ignored by default instead.
            guard fcntl(file, Lease.setSignal, SIGURG) == 0 else { return .unknown }
            guard fcntl(file, Lease.set, Lease.read) == 0 else { return errno == EAGAIN ? .some : .unknown }
            return fcntl(file, Lease.set, Lease.none) == 0 ? .none : .unknown
        #else
            return .unknown
        #endif
    }

    /// From linux/fcntl.h and asm-generic/fcntl.h, which Swift does not import.
    private enum Lease {
        static let set: Int32 = 1024
        static let setSignal: Int32 = 10
        static let read: Int32 = 0
        static let none: Int32 = 2
    }

    /// Whether a file may be half written. Where the system does not say who writes, one that has rested is whole.
    ///
    /// - Parameters:
    ///   - modified: when it was last written to, in nanoseconds since 1970.
    ///   - now: in nanoseconds since 1970. A file that was written in the future is as whole as any.
    func mayBeWriting(modified: Int64, now: Int64) -> Bool {
        switch self {
        case .some: true
        case .none: false
        case .unknown: (0..<Self.rest).contains(now - modified)
        }
    }

    /// In nanoseconds. Programs that write a file at once do not pause for so long.
    private static let rest: Int64 = 500_000_000
}
