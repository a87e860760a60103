/// Why a store can't be opened or used. Each message says what was tried, what happened and what to do.
public enum ListStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another server uses the folder; its process id is nil if it could not be read.
    case locked(folder: String, process: Int32?)
    /// The folder or a file in it can't be created, read or locked.
    case cannotOpen(path: String, reason: String)
    /// The folder or the disk may only be read.
    case readOnly(path: String)
    /// The disk is full. What was kept before is safe.
    case diskFull(path: String)
    /// The file is something else than a store of lists.
    case notAStore(path: String, reason: String)
    /// The file was written by a later version.
    case newerVersion(path: String, found: Int, known: Int)
    /// The file is damaged.
    case corrupt(path: String, reason: String)
    /// Rows of a list, or its line, are not as they were written. Other lists may be sound.
    case damaged(path: String, list: String, reason: String)
    /// Another file was put in the place of the one that was opened.
    case replaced(path: String)
    /// The file, or its folder, was removed while it was open.
    case removed(path: String)
    /// Another program has written to the file: all lists are to be loaded again, and are in new epochs.
    case changed(path: String)
    /// Another program holds the file, and did not let go in time.
    case busy(path: String)
    /// The commit does not follow the one that was kept last.
    case outOfStep(list: String, revision: Int)
    /// The database can't be reached, or does not answer. Whether what was being kept is kept is found out when it can be.
    case unavailable(path: String, reason: String)
    /// The database can't be used as it is set up; the reason says what to do.
    case unsuitable(path: String, reason: String)
    /// The store was closed before.
    case closed(path: String)
    /// Anything else that went wrong while reading or writing.
    case failed(path: String, reason: String)

    /// What was tried, what happened and what to do.
    public var description: String {
        switch self {
        case .locked(let folder, let process):
            "Cannot open the data folder \(folder): \(process.map { "process \($0)" } ?? "another process") is using it. "
                + "Stop it, or choose another folder."
        case .cannotOpen(let path, let reason):
            "Cannot open \(path): \(reason). Make it usable for this user, or choose another folder."
        case .readOnly(let path):
            "Cannot write to \(path): it is read-only. Allow this user to write there, or choose another folder."
        case .diskFull(let path):
            "Cannot write to \(path): the disk is full. Free some space; what was kept before is safe."
        case .notAStore(let path, let reason):
            "Cannot open \(path): \(reason). Move the file away, or choose another folder."
        case .newerVersion(let path, let found, let known):
            "Cannot open \(path): it is of version \(found), and this program knows versions up to \(known). "
                + "Use the newer program, or another store."
        case .corrupt(let path, let reason):
            "Cannot use \(path): it is damaged (\(reason)). Restore it from a backup, or move it away and start anew."
        case .damaged(let path, let list, let reason):
            "Cannot read the list \"\(list)\" from \(path): \(reason). Stop the servers, and restore it from a backup, "
                + "or move it away and start anew."
        case .replaced(let path):
            "Cannot keep anything in \(path): another file was put in its place while it was open. Put the right one back, "
                + "or restart the server to serve the one that is there now: what was kept in the other is not in it."
        case .removed(let path):
            "Cannot keep anything in \(path): the file, or its folder, was removed while it was open. Put it back, or "
                + "restart the server to begin anew: what was kept in it ends with this server."
        case .changed(let path):
            "Cannot store a change in \(path): another program has written to the file. Load the list again, and repeat it."
        case .busy(let path):
            "Cannot use \(path): another program holds it. End that program, then try again."
        case .outOfStep(let list, let revision):
            "Cannot keep revision \(revision) of \"\(list)\": it does not follow the one kept before. "
                + "Another program has written to the list; load it again."
        case .unavailable(let path, let reason):
            "Cannot reach \(path): \(reason). Lists are served as they were last read, and nothing is kept until it is there "
                + "again."
        case .unsuitable(let path, let reason): "Cannot use \(path): \(reason)"
        case .closed(let path):
            "Cannot use \(path): the store is closed. Open it again."
        case .failed(let path, let reason):
            "Cannot use \(path): \(reason). Try again; if it stays, restart the server and look at the disk."
        }
    }
}
