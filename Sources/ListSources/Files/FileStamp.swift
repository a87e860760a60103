#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What tells one state of a file from another, without reading it.
struct FileStamp: Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64
    let isRegular: Bool
    let isFolder: Bool

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
    init?(path: String) {
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
    static func haveRested(_ stamps: [FileStamp?], now: Int64 = WallClock.milliseconds() * 1_000_000) -> Bool {
        stamps.allSatisfy { stamp in stamp.map { !($0.modified - tick...$0.modified + tick).contains(now) } ?? true }
    }

    /// In nanoseconds, with room for a clock that is read in milliseconds.
    private static let tick: Int64 = 20_000_000
}
