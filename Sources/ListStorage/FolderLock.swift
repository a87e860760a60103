import Foundation

/// The right to use a data folder, held until it is let go or the process ends, however it ends.
///
/// It is a `flock` on the file `lock`, which names our process; the file itself may stay, and means nothing unlocked.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or says who has it.
    init(_ folder: DataFolder) throws(ListStoreError) {
        // Only a descriptor that holds the lock becomes ours: a class that throws once all its properties are set is
        // deinitialized, and would close, and unlock, what another thread was given under the same number meanwhile.
        descriptor = try FolderLock.locked(folder)
    }

    deinit {
        // Said, not left to the close: a child between its fork and its exec holds a copy of the descriptor, and with it
        // the lock.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func locked(_ folder: DataFolder) throws(ListStoreError) -> Int32 {
        // Children must not inherit it: a command that outlives us would hold the folder.
        let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ListStoreError(errno, path: folder.path) }
        do throws(ListStoreError) {
            try take(descriptor, folder)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func take(_ descriptor: Int32, _ folder: DataFolder) throws(ListStoreError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw ListStoreError(errno, path: folder.lock) }
            throw .locked(folder: folder.path, process: process(in: descriptor))
        }
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count else {
            throw ListStoreError(errno, path: folder.lock)
        }
    }

    /// The process named in the file; nil while its holder has not written it yet.
    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
