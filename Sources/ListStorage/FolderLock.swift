import Foundation

/// The right to use a data folder, held until it is let go or the process ends, however it ends.
///
/// It is a `flock` on the file `lock`, which names our process and holds our ``OpeningRecord``; the file itself may stay, and
/// unlocked it is only the evidence of what its holder kept.
final class FolderLock: Sendable {
    /// The mark that the last holder left, if the file is still as that wrote it.
    let found: OpeningRecord?
    /// Nil once it was let go.
    private let descriptor: Locked<Int32?>

    /// Takes the lock, or says who has it.
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
            throw .locked(folder: folder.path, process: lines.first.flatMap { Int32($0) })
        }
        var mark = lines.count > 1 ? OpeningRecord(lines[1]) : nil
        if let written = mark, let stamp = try FileStamp(of: folder.lock), !written.wasWritten(to: stamp) { mark = nil }
        guard ftruncate(descriptor, 0) == 0,
            write(mark.map { OpeningRecord(token: $0.token, tally: $0.tally) }, to: descriptor)
        else { throw ListStoreError(errno, path: folder.lock) }
        return mark
    }

    /// One write, which a signal can't cut in two; blanks hide what a longer one left behind.
    private static func write(_ mark: OpeningRecord?, to descriptor: Int32) -> Bool {
        var bytes = Array("\(getpid())\n\(mark.map { "\($0)" } ?? "")\n".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, 96 - bytes.count)))
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    private static func lines(in descriptor: Int32) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return [] }
        return String(decoding: bytes[..<count], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
    }
}
