import Foundation

/// The right to use a data folder, held until it is let go or the process ends, however it ends.
///
/// It is a `flock` on the file `lock`, which names our process; the file itself may stay, and means nothing unlocked.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or says who has it.
    init(_ folder: DataFolder) throws(ListStoreError) {
        // Children must not inherit it: a command that outlives us would hold the folder.
        descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ListStoreError(errno, path: folder.path)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            let holder = FolderLock.process(in: descriptor)
            close(descriptor)
            guard error == EWOULDBLOCK else { throw ListStoreError(error, path: folder.lock) }
            throw .locked(folder: folder.path, process: holder)
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            let error = errno
            close(descriptor)
            throw ListStoreError(error, path: folder.lock)
        }
    }

    deinit {
        // Said, not left to the close: a child between its fork and its exec holds a copy of the descriptor, and with it
        // the lock.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The process named in the file; nil while its holder has not written it yet.
    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
