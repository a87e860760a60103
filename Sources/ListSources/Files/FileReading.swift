#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads a file whole, or not at all.
struct FileReading {
    enum Attempt: Hashable {
        case whole([UInt8])
        /// Somebody writes it, or did while it was read.
        case isBeingWritten
    }

    let path: String
    /// The most that is read, in bytes.
    let limit: Int
    /// Whether it is a file that others add lines to all the time: then what is there is whole up to its last line.
    let grows: Bool

    /// Tries once.
    func attempt() throws(SourceError) -> Attempt {
        // Without O_NONBLOCK, a pipe would be waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw failure("can't be opened", errno) }
        defer { close(file) }
        let stamp = try check(file)
        guard grows || !isBeingWritten(file, stamp) else { return .isBeingWritten }
        let bytes = try bytes(of: file, expected: Int(stamp.size))
        if grows { return .whole(Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])) }
        let isUntouched = FileStamp(file: file) == stamp && !isBeingWritten(file, stamp)
        return isUntouched ? .whole(bytes) : .isBeingWritten
    }

    private func check(_ file: Int32) throws(SourceError) -> FileStamp {
        guard let stamp = FileStamp(file: file) else { throw failure("can't be looked at", errno) }
        if stamp.isFolder {
            throw SourceError(message: "What should be a file is a folder.", detail: "It is \(path).")
        }
        guard stamp.isRegular else {
            throw SourceError(
                message: "What should be a file is none.",
                detail: "\(path) is a pipe or a device. A command can read it: cat \(path)")
        }
        guard stamp.size <= limit else { throw tooLarge }
        return stamp
    }

    private func isBeingWritten(_ file: Int32, _ stamp: FileStamp) -> Bool {
        FileWriters.of(file).mayBeWriting(modified: stamp.modified, now: WallClock.milliseconds() * 1_000_000)
    }

    private func bytes(of file: Int32, expected: Int) throws(SourceError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected)
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure("can't be read", errno)
            }
            bytes.append(contentsOf: piece[..<count])
            guard bytes.count <= limit else { throw tooLarge }
        }
    }

    private var tooLarge: SourceError {
        SourceError(message: "The file is larger than \(ByteCount.text(limit)).", detail: "It is \(path).")
    }

    private func failure(_ problem: String, _ code: Int32) -> SourceError {
        let detail = "Cannot read \(path): \(String(cString: strerror(code)).lowercased())."
        return switch code {
        case ENOENT, ENOTDIR: SourceError(message: "The file is not there.", detail: detail).coded("sourceMissing")
        case EACCES, EPERM:
            SourceError(
                message: "The file may not be read.",
                detail: "\(detail) Let the user read it whom the server runs as.")
        case ELOOP: SourceError(message: "The file is a link that leads in a circle.", detail: detail)
        default: SourceError(message: "The file \(problem).", detail: detail)
        }
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Identifies a version of a file without reading it.
package struct FileStamp: Hashable {
    let device: UInt64
    let inode: UInt64
    package let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    package let isRegular: Bool
    package let isFolder: Bool

    init(_ status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }

    /// Of the file that a path leads to; nil where there is none to look at.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether it is one file, though it may have changed.
    func isOfSameFile(as other: FileStamp) -> Bool { (device, inode) == (other.device, other.inode) }

    /// Whether files that change from now on will have other stamps than these: file systems count time in ticks of up to
    /// 10 ms.
    ///
    /// - Parameter now: in nanoseconds since 1970.
    package static func haveRested(_ stamps: [FileStamp?], now: Int64 = WallClock.milliseconds() * 1_000_000) -> Bool {
        stamps.allSatisfy { stamp in stamp.map { !($0.modified - tick...$0.modified + tick).contains(now) } ?? true }
    }

    /// In nanoseconds, with room for a clock that is read in milliseconds.
    private static let tick: Int64 = 20_000_000
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Whether a process has a file open for writing.
enum FileWriters: Hashable {
    case some, none
    /// The system does not say: the file is another user's, its file system has no leases, or this is no Linux.
    case unknown

    /// Checks by a lease: fcntl(2) grants one for reading only if no process has the file open for writing.
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
