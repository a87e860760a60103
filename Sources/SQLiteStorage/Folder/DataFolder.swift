import Foundation
import ListStorage
import Locking

/// The folder of one server: where its files are, and the few things that are done to them other than by SQLite.
///
///     lists.sqlite          the lists; beside it SQLite's own -wal and -shm while it is open
///     lists.sqlite-closed   the stamp of lists.sqlite after it was closed; only while it is closed
///     notifications.sqlite  who wants to be told of new rows (SubscriptionStore), and SQLite's own beside it
///     notifications.pem     by which push services know this server
///     lock                  locked by the server that uses the folder; its process id and its mark (OpeningRecord)
struct DataFolder: Sendable {
    let path: String

    var database: String { path + "/lists.sqlite" }
    var log: String { database + "-wal" }
    var seal: String { database + "-closed" }
    var lock: String { path + "/lock" }
    var subscriptions: String { path + "/notifications.sqlite" }

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

    /// Waits until the file system's clock has passed a stamp, so that a later change can't have the same one.
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

/// The right to use a data folder, held until it is let go or the process ends, however it ends.
///
/// It is a `flock` on the file `lock`, which names our process and holds our ``OpeningRecord``; the file itself may stay, and
/// unlocked it is only the evidence of what its holder kept.
final class FolderLock: Sendable {
    /// The mark that the last holder left, if the file is still as that wrote it.
    let found: OpeningRecord?
    /// Nil once it was let go.
    private let descriptor: Locked<Int32?>

    /// Takes the lock, or reports who holds it.
    init(_ folder: DataFolder) throws(ListStoreError) {
        // Only a descriptor that holds the lock becomes ours: a class that throws once all its properties are set is
        // deinitialized, and would close, and unlock, what another thread was given under the same number meanwhile.
        let (descriptor, found) = try FolderLock.locked(folder)
        self.descriptor = Locked(descriptor)
        self.found = found
    }

    deinit { release() }

    /// Lets the folder go.
    func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor else { return }
            // Said, not left to the close: a child between its fork and its exec holds a copy of the descriptor, and with
            // it the lock.
            _ = flock(held, LOCK_UN)
            close(held)
            descriptor = nil
        }
    }

    /// Leaves a mark for the next holder. One that can't be written is made good by the next one, which counts on from it.
    func leave(_ mark: OpeningRecord) {
        descriptor.withLock { descriptor in
            guard let held = descriptor else { return }
            _ = FolderLock.write(mark, to: held)
        }
    }

    private static func locked(_ folder: DataFolder) throws(ListStoreError) -> (Int32, OpeningRecord?) {
        // Children must not inherit it: a command that outlives us would hold the folder.
        let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ListStoreError(errno, path: folder.path) }
        do throws(ListStoreError) {
            return (descriptor, try take(descriptor, folder))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Writes our process into the file, and its mark again.
    private static func take(_ descriptor: Int32, _ folder: DataFolder) throws(ListStoreError) -> OpeningRecord? {
        let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        let error = errno
        let lines = lines(in: descriptor)
        guard isTaken else {
            guard error == EWOULDBLOCK else { throw ListStoreError(error, path: folder.lock) }
            throw .locked(folder: folder.path, process: holder(lines))
        }
        var mark = lines.count > 1 ? OpeningRecord(lines[1]) : nil
        if let written = mark, let stamp = try FileStamp(of: folder.lock), !written.wasWritten(to: stamp) { mark = nil }
        guard ftruncate(descriptor, 0) == 0,
            write(mark?.renewed, to: descriptor)
        else { throw ListStoreError(errno, path: folder.lock) }
        return mark
    }

    /// One write, which a signal can't cut in two; blanks hide what a longer one left behind.
    private static func write(_ mark: OpeningRecord?, to descriptor: Int32) -> Bool {
        var bytes = Array("\(getpid())\n\(mark.map { "\($0)" } ?? "")\n".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, 96 - bytes.count)))
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// The process that wrote the lines, if it is there still: who reads a folder writes none.
    private static func holder(_ lines: [Substring]) -> Int32? {
        guard let process = lines.first.flatMap({ Int32($0) }), kill(process, 0) == 0 || errno == EPERM else {
            return nil
        }
        return process
    }

    /// Who holds the lock, as far as its file tells.
    fileprivate static func holder(of descriptor: Int32) -> Int32? { holder(lines(in: descriptor)) }

    private static func lines(in descriptor: Int32) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return [] }
        return String(decoding: bytes[..<count], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
    }
}

/// Keeps servers from a data folder while it is read, until it is let go or the process ends.
///
/// It is a shared `flock` on the file `lock`, of which nothing is changed. A folder without that file, as a backup is, was
/// used by no server.
final class SharedFolderLock: Sendable {
    /// Nil where there is nothing to lock, and once it was let go.
    private let descriptor: Locked<Int32?>

    /// Takes the lock, or reports who uses the folder.
    init(_ folder: DataFolder) throws(ListStoreError) {
        descriptor = Locked(try Self.locked(folder))
    }

    deinit { release() }

    /// Lets the folder go.
    func release() {
        descriptor.withLock { descriptor in
            if let held = descriptor { close(held) }
            descriptor = nil
        }
    }

    private static func locked(_ folder: DataFolder) throws(ListStoreError) -> Int32? {
        let descriptor = open(folder.lock, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw ListStoreError(errno, path: folder.lock) }
            return nil
        }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return descriptor }
        let error = errno
        defer { close(descriptor) }
        guard error == EWOULDBLOCK else { throw ListStoreError(error, path: folder.lock) }
        throw .locked(folder: folder.path, process: FolderLock.holder(of: descriptor))
    }
}
