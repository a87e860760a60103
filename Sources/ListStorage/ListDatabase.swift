import Foundation
import GRDB
import KeyedLists

/// One open database of lists: the SQL behind ``SQLiteStore``. Used by one thread at a time.
final class ListDatabase {
    /// What is remembered of a list that was loaded.
    private struct Entry {
        let id: Int64
        var floor: Revision
    }

    private let path: String
    private let queue: DatabaseQueue
    /// Lists whose epoch was made by this process.
    private var renewed: Set<Key> = []
    private var entries: [Key: Entry] = [:]
    /// Whether lists had to be given new epochs when the database was opened.
    private var isHistoryNew = false
    /// Whether the file must still be checked before a list is taken from it.
    private var needsCheck = false

    /// Opens or creates the file.
    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "ListStorage"
        // https://www.sqlite.org/pragma.html#pragma_synchronous: in WAL mode NORMAL survives the end of the process; a loss
        // of power may take the last commits, and History then sees another boot.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// How many rows were written, in all tables, since the file was opened.
    var rowsWritten: Int {
        queue.inDatabase { $0.totalChangesCount }
    }

    /// Brings the tables up to date, decides about the epochs by what was found and recorded, and records this opening.
    func begin(_ found: History, inode: UInt64) throws {
        try queue.write { database in
            try Schema.prepare(database, path: path)
            var history = found
            history.opening = try Self.opening(database)
            if !history.isVouchedFor {
                isHistoryNew = true
                try Self.renewEpochs(database)
            }
            needsCheck = history.opening != nil && !history.isSealed
            let opening = History.Opening(boot: history.boot, inode: inode, isClosed: false)
            try Self.record(opening, database)
        }
    }

    /// Records that it is closed, empties the log, and closes it.
    func close() throws {
        try queue.write { try $0.execute(sql: "UPDATE openings SET isClosed = 1") }
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
    }

    /// Reads a list, or creates it.
    func load(_ name: Key) throws -> StoredList {
        try checkOnce()
        return try queue.write { database in
            let record = try Self.record(of: name, database) ?? Self.create(name, database)
            entries[name] = Entry(id: record.id, floor: record.floor)
            if record.isNew { renewed.insert(name) }
            return StoredList(
                epoch: record.epoch, isRestored: !isHistoryNew && !renewed.contains(name),
                list: try restore(record, database), facts: record.facts)
        }
    }

    /// Writes the rows of one commit, and nothing else.
    func commit(_ commit: Commit, facts: StoredFacts, to name: Key) throws {
        let entry = entry(of: name)
        try queue.write { database in
            let writer = CommitWriter(database: database, list: entry.id)
            guard try writer.advance(to: commit, facts: facts) else {
                throw ListStoreError.outOfStep(list: name.string, revision: commit.revision)
            }
            try writer.write(commit, prune: commit.floor > entry.floor)
        }
        entries[name] = Entry(id: entry.id, floor: commit.floor)
    }

    /// Writes the facts of a list.
    func note(_ facts: StoredFacts, of name: Key) throws {
        let entry = entry(of: name)
        try queue.write { try CommitWriter(database: $0, list: entry.id).note(facts) }
    }

    /// Gives a list a new epoch.
    func renewEpoch(of name: Key) throws -> Epoch {
        let entry = entry(of: name)
        let epoch = Epoch.random()
        try queue.write { try Self.set(epoch, of: entry.id, $0) }
        renewed.insert(name)
        return epoch
    }

    private func entry(of name: Key) -> Entry {
        guard let entry = entries[name] else {
            preconditionFailure("The list \"\(name)\" is changed before it is loaded.")
        }
        return entry
    }

    /// Checks the whole file, once, if it was not closed cleanly.
    private func checkOnce() throws {
        guard needsCheck else { return }
        let finding = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard finding == "ok" else {
            throw ListStoreError.corrupt(path: path, reason: finding ?? "it can't be checked")
        }
        needsCheck = false
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
