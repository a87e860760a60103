import Foundation
import GRDB
import KeyedLists
import ListStorage
import Locking

/// One open database of lists: the SQL behind ``SQLiteStore``.
///
/// One connection writes, and others read beside it (WAL), so that a large list that is loaded holds up nobody's commits.
/// From any thread, but one list from one thread at a time.
///
/// It believes only what it wrote. Each line that is read is held to its checksum (``StoredRows``), and before each commit
/// it is looked whether the file still stands where it was opened (``FileIdentity``) and whether another program has written
/// to it (`PRAGMA data_version`). A file that another has written to is taken up as it then is, with all lists in new
/// epochs (``takeUp``); Decisions/02 says why.
final class ListDatabase: Sendable {
    struct Memory {
        var lists: [Key: LoadedList] = [:]
        /// Why lists can't be read: they are not read again until the file is opened again.
        var damage: [Key: ListStoreError] = [:]
        /// Whether lists had to be given new epochs since the database was opened.
        var isHistoryNew = false
        /// What is recorded of this opening; its token is that of the mark.
        var opening = History.Opening(boot: nil, inode: 0, isClosed: false)
        var mark = OpeningRecord(token: 0, tally: 0)
        /// `PRAGMA data_version` of the writing connection, before any other program wrote.
        var version = 0
        /// How often the file was opened again: results read before that are not cached.
        var generation = 0
        /// Nil before the tables are there, and after the end.
        var checkpointer: Checkpointer?

        /// Remembers a list that was loaded, and counts it in the mark as it is now.
        mutating func replace(_ name: Key, by list: LoadedList) {
            mark.tally += list.tally - (lists[name]?.tally ?? 0)
            mark.owed += list.owed - (lists[name]?.owed ?? 0)
            lists[name] = list
        }
    }

    /// The file is not as we left it, in that generation.
    private struct ForeignChange: Error {
        let generation: Int
    }

    let place: FileIdentity
    let pool: DatabasePool
    let lock: FolderLock
    let gate = FairLock()
    let memory = Locked(Memory())
    let tell: @Sendable (StoreEvent) -> Void

    var path: String { place.path }

    /// Opens or creates the file in a folder that is ours.
    ///
    /// - Parameter tell: hears what happens to it, on any thread.
    init(path: String, lock: FolderLock, tell: @escaping @Sendable (StoreEvent) -> Void) throws {
        self.lock = lock
        self.tell = tell
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "ListStorage"
        configuration.prepareDatabase { database in
            // https://www.sqlite.org/pragma.html#pragma_synchronous: in WAL mode NORMAL survives the end of the process and
            // never damages the file. A loss of power may take the last commits, and History then sees another boot: an
            // epoch is cheaper than a sync (some milliseconds) for each commit of each list.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Commits wait for no disk: Checkpointer.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // Nothing may need more room on a disk that is full.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        place = try FileIdentity(of: path)
    }

    deinit {
        // Nothing touches the files once the folder is let go.
        stopCheckpoints()
    }

    /// How many rows were written, in all tables, since the file was opened.
    var rowsWritten: Int {
        pool.writeWithoutTransaction { $0.totalChangesCount }
    }

    // MARK: Beginning and end

    /// Brings the tables up to date, decides about the epochs by what was found and recorded, and records this opening.
    ///
    /// - Returns: why the lists come in new epochs; nil where they need not, or where there are none.
    func begin(_ found: History) throws -> String? {
        let token = UInt64.random(in: 0 ... .max)
        let opening = History.Opening(boot: found.boot, inode: place.inode, isClosed: false, token: token)
        return try pool.writeWithoutTransaction { database in
            var history = found
            try database.inTransaction(.immediate) {
                try Schema.prepare(database, path: path)
                history.opening = try Self.opening(database)
                let lists = try ListRecord.all(database).sound
                history.tally = lists.reduce(0) { $0 + $1.tally }
                if !history.isVouchedFor { for list in lists { _ = try list.renewed().replace(list, database) } }
                try Self.record(opening, database)
                return .commit
            }
            let version = try Self.version(database)
            memory.withLock { memory in
                memory.isHistoryNew = !history.isVouchedFor
                memory.opening = opening
                memory.mark = OpeningRecord(token: token, tally: history.tally)
                memory.version = version
            }
            return history.doubt
                ?? (history.opening == nil && history.tally > 0 ? "it has no record of who used it last" : nil)
        }
    }

    /// Leaves the first mark: from here on the database and the lock agree. And from here on nobody waits for other programs.
    func leaveMark() throws {
        memory.withLock { lock.leave($0.mark) }
        try setPatience(0)
        let checkpointer = try Checkpointer(path: path, gate: gate) { [pool] in
            try pool.write { try $0.execute(sql: "UPDATE openings SET only = only") }
        }
        memory.withLock { $0.checkpointer = checkpointer }
    }

    private func stopCheckpoints() {
        let checkpointer = memory.withLock { $0.checkpointer.take() }
        do { try checkpointer?.stop() } catch {
            // A connection that can't be closed is closed with the process; what is kept is kept.
        }
    }

    /// How long the connection that writes waits for other programs, in milliseconds.
    private func setPatience(_ patience: Int) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = \(patience)") }
    }

    /// Records that it is closed, empties the log, and closes it, after what others still do with it.
    ///
    /// Throws where the file is not in its place: then nothing there may be vouched for.
    func close() throws {
        stopCheckpoints()
        try setPatience(5000)
        try takeUp()
        try keepRunNumbers()
        try pool.barrierWriteWithoutTransaction { database in
            try database.execute(sql: "UPDATE openings SET isClosed = 1")
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
        try place.check()
    }

    /// Numbers of runs that clients have seen but that could not be stored, as on a full disk.
    private func keepRunNumbers() throws {
        let (lists, damage) = memory.withLock { ($0.lists, $0.damage) }
        for (name, list) in lists where damage[name] == nil && list.runs > list.record.facts.runs {
            try change(name) { _, list in
                list.record.facts.runs = list.runs
                return true
            }
        }
    }

    /// Checkpoints the log into the file, as far as no other reader needs it, without waiting.
    func emptyLog() throws {
        try memory.withLock { $0.checkpointer }?.moveLog()
        try pool.writeWithoutTransaction { database in
            do {
                _ = try database.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // Somebody reads what is in it, and will be done.
            }
        }
    }

    // MARK: Lists

    /// Reads a list, or makes one that is created when it is first written.
    func load(_ name: Key) throws -> StoredList {
        for attempt in 0..<3 {
            do {
                if let list = try read(name) { return list }
            } catch let change as ForeignChange {
                // The second time nobody else has written, and yet it is not as we left it: then a disk has changed it.
                try takeUp(after: attempt > 0 ? change.generation : nil)
            }
        }
        throw ListStoreError.busy(path: path)
    }

    /// Reads a list; nil if the file was opened again meanwhile.
    private func read(_ name: Key) throws -> StoredList? {
        let (generation, token, known, damage) = memory.withLock {
            ($0.generation, $0.mark.token, $0.lists[name], $0.damage[name])
        }
        if let damage { throw damage }
        let change = ForeignChange(generation: generation)
        let found: (record: ListRecord, list: KeyedList, stored: StoredRows)?
        do {
            found = try pool.read { database in
                // What another program has put there is not ours to give out, before it has new epochs.
                guard try Self.opening(database)?.token == token else { throw change }
                guard let record = try ListRecord.named(name, database, path: path) else {
                    if known?.record.id != nil { throw change }
                    return nil
                }
                if let known, known.record.epoch != record.epoch || known.record.revision != record.revision {
                    throw change
                }
                let stored = try StoredRows(of: record, database, path: path)
                return (record, try stored.restored(), stored)
            }
        } catch let error as ListStoreError {
            memory.withLock { memory in
                if case .damaged = error, memory.generation == generation { memory.damage[name] = error }
            }
            throw error
        }
        return memory.withLock { memory in
            guard memory.generation == generation else { return nil }
            guard let found else {
                let new = known ?? LoadedList(ListRecord(new: name), isRestored: false)
                memory.lists[name] = new
                return StoredList(epoch: new.record.epoch, isRestored: false, list: KeyedList(), facts: StoredFacts())
            }
            let loaded = LoadedList(
                found.record, isRestored: known?.isRestored ?? !memory.isHistoryNew, runs: known?.runs ?? 0)
            if known == nil { memory.lists[name] = loaded } else { memory.replace(name, by: loaded) }
            return StoredList(
                epoch: found.record.epoch, isRestored: loaded.isRestored, list: found.list, facts: found.record.facts,
                actionRuns: found.stored.actionRuns, unread: found.stored.unread)
        }
    }

    /// Writes the rows of one commit, and nothing else.
    func commit(to name: Key, _ make: () -> (commit: Commit, facts: StoredFacts)?) throws {
        if try loaded(name).record.staged != nil { try finish(of: name) }
        try change(name) { database, list in
            guard let (commit, facts) = make() else { return false }
            guard let id = list.record.id, let sum = list.record.sum, list.record.revision == commit.revision - 1 else {
                throw ListStoreError.outOfStep(list: name.string, revision: commit.revision)
            }
            var writer = CommitWriter(database, list: id, sum: sum)
            try writer.write(commit)
            try list.take(commit, facts, &writer)
            return true
        }
    }

    /// Writes the facts of a list.
    func note(_ facts: StoredFacts, of name: Key) throws {
        // Marked whether it can be kept or not: people have heard of the run, and its number must not come again.
        memory.withLock { memory in
            guard var list = memory.lists[name], list.runs < facts.runs else { return }
            list.runs = facts.runs
            memory.replace(name, by: list)
            lock.leave(memory.mark.renewed)
        }
        try change(name) { database, list in
            if let id = list.record.id, let sum = list.record.sum {
                try CommitWriter(database, list: id, sum: sum).keep(facts)
            }
            list.take(facts)
            return true
        }
    }

    /// Gives a list a new epoch, and this opening a new token: a copy from before is of another history. It begins at the next
    /// revision, and no patch leads into it.
    func renewEpoch(of name: Key) throws -> Epoch {
        let token = UInt64.random(in: 0 ... .max)
        let epoch = Epoch.random()
        try change(name, token: token) { database, list in
            list.record.epoch = epoch
            list.record.revision += 1
            list.record.floor = list.record.revision
            if let id = list.record.id, let sum = list.record.sum {
                var writer = CommitWriter(database, list: id, sum: sum)
                _ = try writer.forget(upTo: list.record.floor)
                list.record.sum = writer.sum
            }
            list.isRestored = false
            try Self.record(token, database)
            return true
        }
        return epoch
    }

    /// Changes one list and records it in one transaction: no other program writes between the two.
    ///
    /// Throws `busy` where another list is written for longer than a few milliseconds, or another program holds the file; then
    /// `body` is not called.
    ///
    /// - Parameters:
    ///   - patience: how long other lists are waited for, in seconds.
    ///   - body: says whether there is something to keep.
    func change(
        _ name: Key, token: UInt64? = nil, within patience: TimeInterval = 0.005,
        _ body: (Database, inout LoadedList) throws -> Bool
    ) throws {
        try place.check()
        guard gate.enter(within: patience) else { throw ListStoreError.busy(path: path) }
        do {
            defer { gate.leave() }
            try pool.writeWithoutTransaction { database in
                var list = try loaded(name)
                let (version, generation) = memory.withLock { ($0.version, $0.generation) }
                let before = database.totalChangesCount
                var isChanged = false
                try database.inTransaction(.immediate) {
                    let change = ForeignChange(generation: generation)
                    guard try Self.version(database) == version else { throw change }
                    try prepare(&list.record, database)
                    let before = list.record
                    isChanged = try body(database, &list)
                    guard isChanged else { return .rollback }
                    guard try list.record.replace(before, database) else { throw change }
                    return .commit
                }
                guard isChanged else { return }
                remember(list, as: name, token: token)
                memory.withLock { $0.checkpointer }?.note(rows: database.totalChangesCount - before)
            }
        } catch let change as ForeignChange {
            try takeUp(after: change.generation)
            throw ListStoreError.changed(path: path)
        }
    }

    /// A list has its line before it is changed, and all of its rows their checksums.
    private func prepare(_ record: inout ListRecord, _ database: Database) throws {
        if record.id == nil { try record.insert(database) }
        guard let id = record.id, record.sum == nil else { return }
        var writer = CommitWriter(database, list: id, sum: 0)
        try writer.addChecksums(to: StoredRows(of: record, database, path: path))
        let before = record
        record.sum = writer.sum
        guard try record.replace(before, database) else {
            throw ListStoreError.damaged(path: path, list: record.name.string, reason: "its line can't be written")
        }
    }

    func loaded(_ name: Key) throws -> LoadedList {
        let (list, damage) = memory.withLock { ($0.lists[name], $0.damage[name]) }
        if let damage { throw damage }
        guard let list else { preconditionFailure("The list \"\(name)\" is changed before it is loaded.") }
        return list
    }

    /// Records what was done, and marks it before any watcher is sent it.
    private func remember(_ list: LoadedList, as name: Key, token: UInt64? = nil) {
        memory.withLock { memory in
            memory.replace(name, by: list)
            if let token { memory.mark.token = token }
            memory.opening.token = memory.mark.token
            lock.leave(memory.mark.renewed)
        }
    }
}
