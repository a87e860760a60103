import Foundation
import GRDB
import ListStorage

/// Moves what was committed from SQLite's log into the database, on a thread and a connection of its own: a commit waits
/// for no disk.
///
/// https://www.sqlite.org/wal.html#ckpt: a passive checkpoint runs beside readers and the writer. A log that was moved whole is
/// begun anew by whoever writes next, and that waits for the disk, too; so it is done here, in the place of a commit.
final class Checkpointer: @unchecked Sendable {
    /// How many rows are written between two checkpoints. Each touches a page or a few.
    private static let period = 500
    /// How long the log becomes before it is restarted, in pages; SQLite's own default.
    private static let length = 1000

    private let connection: DatabaseQueue
    private let gate: FairLock
    private let condition = NSCondition()
    // Guarded by `condition`.
    /// Nil after the end, for the thread lives a little longer than that.
    private var beginAnew: (@Sendable () throws -> Void)?
    private var written = 0
    private var isStopping = false
    private var hasEnded = false

    /// Opens a connection of its own to a database that is open already. It writes nothing that another connection would
    /// take for a change (`PRAGMA data_version`).
    ///
    /// - Parameter beginAnew: writes anything, as the first in the log.
    init(path: String, gate: FairLock, beginAnew: @escaping @Sendable () throws -> Void) throws {
        var configuration = Configuration()
        configuration.label = "ListStorage.checkpoints"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        }
        connection = try DatabaseQueue(path: path, configuration: configuration)
        self.gate = gate
        self.beginAnew = beginAnew
        Thread.detachNewThread { self.run() }
    }

    /// So many rows were written. Returns at once.
    func note(rows: Int) {
        condition.withLock {
            written += rows
            if written >= Self.period { condition.broadcast() }
        }
    }

    /// Moves what can be moved beside others, and returns then.
    func moveLog() throws { _ = try checkpoint(.passive) }

    /// Ends the thread, after the checkpoint that it is at, and closes the connection.
    func stop() throws {
        condition.withLock {
            isStopping = true
            condition.broadcast()
            while !hasEnded { condition.wait() }
            beginAnew = nil
        }
        try connection.close()
    }

    private func run() {
        while isDue() {
            do {
                // What came during the first is little, and moved while others wait.
                guard try checkpoint(.passive) >= Self.length else { continue }
                _ = try checkpoint(.passive)
                guard gate.enter(within: 1) else { continue }
                defer { gate.leave() }
                if try checkpoint(.restart) > 0 { try condition.withLock { beginAnew }?() }
            } catch {
                // The next one makes up for it; what is wrong with the disk, commits tell.
                continue
            }
        }
        condition.withLock {
            hasEnded = true
            condition.broadcast()
        }
    }

    /// Waits for enough to do; false at the end.
    private func isDue() -> Bool {
        condition.withLock {
            while written < Self.period, !isStopping { condition.wait() }
            written = 0
            return !isStopping
        }
    }

    /// The length of the log in pages.
    private func checkpoint(_ kind: Database.CheckpointMode) throws -> Int {
        try connection.writeWithoutTransaction { try $0.checkpoint(kind).walFrameCount }
    }
}
