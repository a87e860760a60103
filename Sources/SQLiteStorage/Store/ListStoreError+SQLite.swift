import Foundation
import GRDB
import ListStorage

extension ListStoreError {
    /// The file has tables that are not ours.
    static func anotherProgram(path: String) -> ListStoreError {
        .notAStore(path: path, reason: "it is a database of another program")
    }

    /// The error of a system call, by its `errno`.
    init(_ number: Int32, path: String) {
        switch number {
        case EROFS, EACCES, EPERM: self = .readOnly(path: path)
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case ENOTDIR: self = .cannotOpen(path: path, reason: "there is a file of that name, not a folder")
        default: self = .cannotOpen(path: path, reason: String(cString: strerror(number)))
        }
    }

    /// The error of SQLite, by its result code.
    init(_ error: any Error, path: String) {
        if let error = error as? ListStoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = .failed(path: path, reason: "\(error)")
            return
        }
        let reason = error.message ?? "SQLite reports \(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_IOERR:
            self = Self.trial(beside: path) ?? .failed(path: path, reason: "\(reason) (\(error.extendedResultCode))")
        // Our own statements are right, so it is the tables that are not.
        case .SQLITE_CORRUPT, .SQLITE_ERROR: self = .corrupt(path: path, reason: reason)
        case .SQLITE_NOTADB: self = .notAStore(path: path, reason: "it is not a database")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: reason)
        default: self = .failed(path: path, reason: "\(reason) (\(error.extendedResultCode))")
        }
    }
    /// What the system says of writing there: SQLite tells no more than that a write failed, also where the system has made
    /// a disk that fails read-only.
    private static func trial(beside path: String) -> ListStoreError? {
        let draft = path + "-trial"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let error = ListStoreError(errno, path: path)
            return error == .readOnly(path: path) || error == .diskFull(path: path) ? error : nil
        }
        close(descriptor)
        unlink(draft)
        return nil
    }
}
