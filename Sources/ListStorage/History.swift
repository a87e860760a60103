/// What is known about a database when it is opened, and the rule whether its history can be vouched for.
///
/// Revisions may be counted on in the same epoch only if no revision that a client saw can have been lost since. That is
/// so in two cases:
///
///     closed cleanly:      the file is untouched since, by the stamp that was written beside it after the close, and no
///                          disk has lost anything of it, by the mark's tally
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
    var mark: OpeningRecord?
    /// The present name of the time since the machine was started.
    var boot: String?

    /// Whether lists may keep their epochs.
    var isVouchedFor: Bool { opening != nil && doubt == nil }

    /// Why they may not: what became of the file. Nil where they may, and where there was nothing before.
    var doubt: String? {
        guard let opening else { return nil }
        return opening.isClosed ? doubtOfSealed(opening) : doubtOfLost(opening)
    }

    private func doubtOfSealed(_ opening: Opening) -> String? {
        guard let seal, seal == file, !hasLog else {
            return "it was changed or put there after a server had closed it"
        }
        // By the seal nobody has written to it; what a disk makes of it is another thing.
        guard let mark, mark.token == opening.token, tally < mark.tally else { return nil }
        return "it lacks what a server had kept in it"
    }

    private func doubtOfLost(_ opening: Opening) -> String? {
        guard let boot, opening.boot == boot else {
            return "it was in use when this machine was last stopped, and may lack what was kept last"
        }
        guard let file, opening.inode == file.inode, let mark, opening.token == mark.token else {
            return "it is not the file that was in use when the last server was killed"
        }
        return tally >= mark.tally ? nil : "it lacks what the last server had kept in it"
    }
}
