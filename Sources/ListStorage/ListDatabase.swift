import Foundation
import GRDB
import KeyedLists

/// One open database of lists: the SQL behind ``SQLiteStore``.
///
/// One connection writes, and others read beside it (WAL), so that a large list that is loaded, and the check of the file,
/// hold up nobody's commits. From any thread, but one list from one thread at a time.
final class ListDatabase: Sendable {
    private struct Memory {
        var lists: [Key: LoadedList] = [:]
        /// Whether lists had to be given new epochs when the database was opened.
        var isHistoryNew = false
        /// Begun where the file must be checked before a list is taken from it.
        var check: FileCheck?
        var mark = OpeningMark(token: 0, tally: 0)
    }

    private let path: String
    private let pool: DatabasePool
    private let lock: FolderLock
    private let memory = Locked(Memory())

    /// Opens or creates the file in a folder that is ours.
    init(path: String, lock: FolderLock) throws {
        self.path = path
        self.lock = lock
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "ListStorage"
        configuration.prepareDatabase { database in
            // https://www.sqlite.org/pragma.html#pragma_synchronous: in WAL mode NORMAL survives the end of the process and
            // never damages the file. A loss of power may take the last commits, and History then sees another boot: an
            // epoch is cheaper than a sync (some milliseconds) for each commit of each list.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Sorting a large list must not need room on a disk that is full.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    deinit {
        // Nothing touches the files once the folder is let go.
        guard let check = memory.withLock({ $0.check }) else { return }
        if check.isRunning { pool.interrupt() }
        check.waitForEnd()
    }

    /// How many rows were written, in all tables, since the file was opened.
    var rowsWritten: Int {
        pool.writeWithoutTransaction { $0.totalChangesCount }
    }

    /// Brings the tables up to date, decides about the epochs by what was found and recorded, and records this opening.
    func begin(_ found: History, inode: UInt64) throws {
        let token = UInt64.random(in: 0 ... .max)
        let history = try pool.write { database in
            try Schema.prepare(database, path: path)
            var history = found
            history.opening = try Self.opening(database)
            history.tally = try Self.tally(database)
            if !history.isVouchedFor { try Self.renewEpochs(database) }
            try Self.record(
                History.Opening(boot: history.boot, inode: inode, isClosed: false, token: token), database)
            return history
        }
        memory.withLock { memory in
            memory.isHistoryNew = !history.isVouchedFor
            if history.opening != nil, !history.isSealed { memory.check = FileCheck(of: pool, path: path) }
            memory.mark = OpeningMark(token: token, tally: history.tally)
        }
    }

    /// Leaves the first mark: from here on the database and the lock agree.
    func leaveMark() {
        memory.withLock { lock.leave($0.mark) }
    }

    /// Records that it is closed, empties the log, and closes it, after what others still do with it.
    func close() throws {
        if memory.withLock({ $0.check?.isRunning ?? false }) { pool.interrupt() }
        try pool.barrierWriteWithoutTransaction { database in
            try database.execute(sql: "UPDATE openings SET isClosed = 1")
            _ = try database.checkpoint(.truncate)
        }
        try pool.close()
    }

    /// Reads a list, or makes one that is created when it is first written.
    func load(_ name: Key) throws -> StoredList {
        try memory.withLock { $0.check }?.wait()
        let found = try pool.read { database in
            try Self.record(of: name, database).map { ($0, try restore($0, database)) }
        }
        return memory.withLock { memory in
            let known = memory.lists[name]
            guard let (record, list) = found else {
                let new = known ?? LoadedList(epoch: .random(), isRestored: false)
                memory.lists[name] = new
                return StoredList(epoch: new.epoch, isRestored: false, list: KeyedList(), facts: StoredFacts())
            }
            let loaded = LoadedList(
                record, isRestored: known?.isRestored ?? !memory.isHistoryNew, runs: known?.runs ?? 0)
            memory.lists[name] = loaded
            if let known { memory.mark.tally += loaded.tally - known.tally }
            return StoredList(epoch: loaded.epoch, isRestored: loaded.isRestored, list: list, facts: record.facts)
        }
    }

    /// Writes the rows of one commit, and nothing else.
    func commit(_ commit: Commit, facts: StoredFacts, to name: Key) throws {
        var list = loaded(name)
        list.id = try pool.write { database in
            let id = try list.id ?? Self.create(name, in: list.epoch, database)
            let writer = CommitWriter(database: database, list: id)
            guard try writer.advance(to: commit, facts: facts) else {
                throw ListStoreError.outOfStep(list: name.string, revision: commit.revision)
            }
            try writer.write(commit, prune: commit.floor > list.floor)
            return id
        }
        list.revision = commit.revision
        list.floor = commit.floor
        list.runs = max(list.runs, facts.runs)
        remember(list, as: name)
    }

    /// Writes the facts of a list.
    func note(_ facts: StoredFacts, of name: Key) throws {
        var list = loaded(name)
        // Marked whether it can be kept or not: people have heard of the run, and its number must not come again.
        list.runs = max(list.runs, facts.runs)
        defer { remember(list, as: name) }
        list.id = try pool.write { database in
            let id = try list.id ?? Self.create(name, in: list.epoch, database)
            try CommitWriter(database: database, list: id).note(facts)
            return id
        }
    }

    /// Gives a list a new epoch, and this opening a new token: a copy from before is of another history.
    func renewEpoch(of name: Key) throws -> Epoch {
        var list = loaded(name)
        list.epoch = .random()
        list.isRestored = false
        let token = UInt64.random(in: 0 ... .max)
        list.id = try pool.write { database in
            let id = try list.id ?? Self.create(name, in: list.epoch, database)
            try Self.set(list.epoch, of: id, database)
            try Self.record(token, database)
            return id
        }
        memory.withLock { $0.mark.token = token }
        remember(list, as: name)
        return list.epoch
    }

    private func loaded(_ name: Key) -> LoadedList {
        guard let list = memory.withLock({ $0.lists[name] }) else {
            preconditionFailure("The list \"\(name)\" is changed before it is loaded.")
        }
        return list
    }

    /// Remembers what was done, and marks it before anybody hears of it.
    private func remember(_ list: LoadedList, as name: Key) {
        memory.withLock { memory in
            let tally = memory.mark.tally + list.tally - (memory.lists[name]?.tally ?? 0)
            memory.lists[name] = list
            memory.mark = OpeningMark(token: memory.mark.token, tally: tally)
            lock.leave(memory.mark)
        }
    }

    private func restore(_ record: ListRecord, _ database: Database) throws -> KeyedList {
        do {
            return try KeyedList(
                revision: record.revision, floor: record.floor, rows: Self.rows(of: record.id, database),
                tombstones: Self.tombstones(of: record.id, database))
        } catch let error as RestoreError {
            throw ListStoreError.corrupt(path: path, reason: "\(record.name): \(error)")
        }
    }
}
