import Foundation
import ListStorage

/// Where the database was opened, and which file that was: by device and inode, which no other file has while it is open.
///
/// SQLite goes on writing to the file that it has opened, whatever stands under its name by then: what is kept there
/// after another file was moved over it, or after it was deleted, would be found by nobody.
struct FileIdentity: Hashable, Sendable {
    let path: String
    let inode: UInt64
    private let device: UInt64

    /// The file that is there now; throws where there is none.
    init(of path: String) throws(ListStoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ListStoreError(errno, path: path) }
        self.path = path
        inode = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
    }

    /// Throws unless the file still stands there: one system call, about a microsecond.
    func check() throws(ListStoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .removed(path: path) : ListStoreError(errno, path: path)
        }
        guard UInt64(status.st_ino) == inode, UInt64(truncatingIfNeeded: status.st_dev) == device else {
            throw .replaced(path: path)
        }
    }
}

/// What identifies a file in one state: its inode, and the time at which anything about it last changed.
///
/// No program can set the change time (ctime) of a file, so a copy, a restored backup and an edit all have another.
struct FileStamp: Hashable, Sendable, CustomStringConvertible {
    let inode: UInt64
    /// Seconds since 1970.
    let seconds: Int
    let nanoseconds: Int

    init(inode: UInt64, seconds: Int, nanoseconds: Int) {
        self.inode = inode
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The stamp of a file; nil if there is none.
    init?(of path: String) throws(ListStoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw ListStoreError(errno, path: path)
        }
        #if os(Linux)
            let changed = status.st_ctim
        #else
            let changed = status.st_ctimespec
        #endif
        self.init(inode: UInt64(status.st_ino), seconds: changed.tv_sec, nanoseconds: changed.tv_nsec)
    }

    /// Reads what `description` wrote.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
        guard parts.count == 3, let inode = UInt64(parts[0]), let seconds = Int(parts[1]),
            let nanoseconds = Int(parts[2])
        else { return nil }
        self.init(inode: inode, seconds: seconds, nanoseconds: nanoseconds)
    }

    /// Whether the change time is later, by the clock of the file system.
    func isChangedLater(than other: FileStamp) -> Bool {
        (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
    }

    var description: String { "\(inode) \(seconds) \(nanoseconds)" }
}
