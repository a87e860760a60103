import Foundation

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
