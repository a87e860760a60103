import Foundation

/// The folder of one server: where its files are, and the few things that are done to them other than by SQLite.
///
///     lists.sqlite          the lists; beside it SQLite's own -wal and -shm while it is open
///     lists.sqlite-closed   the stamp of lists.sqlite after it was closed; only while it is closed
///     lock                  locked by the server that uses the folder; its process id and its mark (OpeningRecord)
struct DataFolder: Sendable {
    let path: String

    var database: String { path + "/lists.sqlite" }
    var log: String { database + "-wal" }
    var seal: String { database + "-closed" }
    var lock: String { path + "/lock" }

    /// Creates the folder, for this user alone, where there is none.
    func create() throws(ListStoreError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch let error as CocoaError
            where error.code == .fileWriteNoPermission || error.code == .fileWriteVolumeReadOnly
        {
            throw .readOnly(path: path)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw .cannotOpen(path: path, reason: "there is a file of that name, not a folder")
        } catch {
            throw .cannotOpen(path: path, reason: error.localizedDescription)
        }
    }

    /// Whether SQLite's log holds anything. After a close it never does.
    var hasLog: Bool { logLength > 0 }

    /// The length of SQLite's log in bytes; 0 where there is none.
    var logLength: Int {
        var status = stat()
        return stat(log, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes the stamp that the database has, after it was closed, so that it survives a loss of power together with it.
    ///
    /// Throws, and writes none, where another file stands in the place of the one that was closed.
    func writeSeal(of place: FileIdentity) throws(ListStoreError) {
        try synchronize(database)
        guard let stamp = try FileStamp(of: database) else { throw .removed(path: database) }
        try place.check()
        guard stamp.inode == place.inode else { throw .replaced(path: database) }
        let draft = seal + ".new"
        try write("\(stamp)\n", to: draft)
        try waitForTick(after: stamp, touching: draft)
        guard rename(draft, seal) == 0 else { throw ListStoreError(errno, path: seal) }
        try synchronize(path)
    }

    /// Waits until the file system's clock has gone on from a stamp, so that a later change can't leave the same one.
    ///
    /// The clock of change times stands still for a tick of the kernel, often 4 ms, and for longer on some file systems; a
    /// file written beside the database tells the time by it.
    private func waitForTick(after stamp: FileStamp, touching draft: String) throws(ListStoreError) {
        let patience = 3000
        for _ in 0..<patience {
            guard chmod(draft, 0o600) == 0 else { throw ListStoreError(errno, path: draft) }
            guard let now = try FileStamp(of: draft) else { throw ListStoreError(ENOENT, path: draft) }
            if now.isChangedLater(than: stamp) { return }
            usleep(1000)
        }
        throw .failed(path: seal, reason: "the clock of its file system stands still")
    }

    /// The stamp written by the last close; nil if there is none, or one that can't be read as such.
    func readSeal() -> FileStamp? {
        let descriptor = open(seal, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? FileStamp(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// Removes the stamp, so that it can't come back after a loss of power: from here on it would be a lie.
    func removeSeal() throws(ListStoreError) {
        guard unlink(seal) == 0 || errno == ENOENT else { throw ListStoreError(errno, path: seal) }
        try synchronize(path)
    }

    private func write(_ text: String, to path: String) throws(ListStoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ListStoreError(errno, path: path) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw ListStoreError(errno, path: path)
        }
    }

    /// Waits until a file, or the names in a folder, are on the disk.
    private func synchronize(_ path: String) throws(ListStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ListStoreError(errno, path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ListStoreError(errno, path: path) }
    }
}
