/// What is known about a database when it is opened, and the rule whether its history can be vouched for.
///
/// Revisions may be counted on in the same epoch only if no revision that a client saw can have been lost since. That is
/// so in two cases:
///
///     closed cleanly:      the file is untouched since, by the stamp that was written beside it after the close
///     not closed cleanly:  the machine has not been started since (what was written but not synced is still there), the
///                          file is the same one, by its inode, it is of the last opening, by the token in the lock's
///                          mark, and it has all that was acknowledged, by the mark's tally
///
/// In every other case, as a copy, a restored backup or a loss of power, each list gets a new epoch and keeps its rows.
/// Decision 0006 tells what this sees and what it can't.
struct History: Hashable, Sendable {
    /// What the database recorded when it was last opened.
    struct Opening: Hashable, Sendable {
        var boot: String?
        var inode: UInt64
        /// Whether it was closed since.
        var isClosed: Bool
        /// Nil in a file of version 1, until it is opened again.
        var token: UInt64?
    }

    /// Nil in a database that has never been opened.
    var opening: Opening?
    /// How much the database has: the sum of all revisions and run numbers.
    var tally = 0
    /// What was written beside the file after the close.
    var seal: FileStamp?
    /// The file as it was found, before it was opened.
    var file: FileStamp?
    /// Whether a log with something in it was found: a close leaves none.
    var hasLog: Bool
    /// What the last holder of the folder left in its lock.
    var mark: OpeningMark?
    /// The present name of the time since the machine was started.
    var boot: String?

    /// Whether the file was closed cleanly and is as that left it.
    var isSealed: Bool {
        guard let opening, let seal else { return false }
        return opening.isClosed && seal == file && !hasLog
    }

    /// Whether lists may keep their epochs.
    var isVouchedFor: Bool {
        guard let opening else { return false }
        return opening.isClosed ? isSealed : hasAll(of: opening)
    }

    private func hasAll(of opening: Opening) -> Bool {
        guard let file, let boot, let mark else { return false }
        return opening.boot == boot && opening.inode == file.inode && opening.token == mark.token
            && tally >= mark.tally
    }
}
