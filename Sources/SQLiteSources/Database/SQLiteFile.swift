import Dispatch
import ListSources

/// A database file that is opened for each look at it, read only, and closed again.
struct SQLiteFile: Sendable {
    let path: String
    /// How long a lock is waited for, or a change that was left half done.
    let patience: Duration

    /// Looks at the database, on a thread of its own: a query holds the one that it runs on, and the pool has few. One that is
    /// cancelled is broken off.
    ///
    /// - Parameters:
    ///   - thread: one that does nothing else at the same time; nil: a new one.
    ///   - look: is called again where the database could not be read at first.
    /// - Throws: `SourceError` if there is no such file, it is no database, is locked or left amid a change for longer than
    ///   `patience`, or is damaged; and what `look` throws.
    func read<Result: Sendable>(
        on thread: DispatchQueue? = nil,
        _ look: @escaping @Sendable (SQLiteConnection, SQLiteInterrupt) throws -> Result
    ) async throws -> Result {
        let interrupt = SQLiteInterrupt(patience: patience)
        let opening = Opening(path: path, interrupt: interrupt)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                (thread ?? DispatchQueue(label: "SQLiteSource")).async {
                    continuation.resume(with: Swift.Result { try opening.read(look) })
                }
            }
        } onCancel: {
            interrupt.request()
        }
    }
}

/// Opens a database in whatever state it is.
private struct Opening: Sendable {
    let path: String
    let interrupt: SQLiteInterrupt

    /// Blocks its thread.
    func read<Result>(_ look: (SQLiteConnection, SQLiteInterrupt) throws -> Result) throws -> Result {
        try SQLiteProblem.checkFile(path)
        do {
            do {
                return try readUnlessHalfDone(look)
            } catch let problem as SQLiteProblem where problem.isForWantOfFilesBeside {
                return try readStill(look, or: problem)
            }
        } catch let problem as SQLiteProblem {
            throw problem.explanation
        }
    }

    /// Waits for an unfinished change as for a lock: usually another program is still committing it.
    ///
    /// SQLite looks for a writer's lock, and then into its journal. Who begins in between seems to have died; a reader that
    /// may write finds out by locking the file, one that may not is refused (hasHotJournal and sqlite3PagerSharedLock in
    /// SQLite's pager.c). It is refused before its first row.
    private func readUnlessHalfDone<Result>(
        _ look: (SQLiteConnection, SQLiteInterrupt) throws -> Result
    ) throws -> Result {
        var pauses = 0
        while true {
            do {
                return try read(look, isStill: false)
            } catch let problem as SQLiteProblem where problem.isHalfDone {
                guard interrupt.waits(after: pauses) else {
                    throw interrupt.isRequested ? CancellationError() : problem
                }
                pauses += 1
            }
        }
    }

    /// Reads a database in a folder where nothing can be made: on a medium that is read only, of another user.
    ///
    /// Whoever writes such a database makes a log beside it first; so if there is none before and after, and the file
    /// is the same, what was read is one state of it.
    private func readStill<Result>(
        _ look: (SQLiteConnection, SQLiteInterrupt) throws -> Result, or problem: SQLiteProblem
    ) throws -> Result {
        let before = FollowedFile.database.stamps(of: path)
        guard before.dropFirst().allSatisfy({ $0 == nil }) else { throw problem }
        let result = try read(look, isStill: true)
        guard FollowedFile.database.stamps(of: path) == before else {
            throw SourceError(message: "The database was changed while it was read.")
        }
        return result
    }

    private func read<Result>(
        _ look: (SQLiteConnection, SQLiteInterrupt) throws -> Result, isStill: Bool
    ) throws -> Result {
        let connection = try SQLiteConnection(path: path, isStill: isStill, interrupt: interrupt)
        return try look(connection, interrupt)
    }
}
