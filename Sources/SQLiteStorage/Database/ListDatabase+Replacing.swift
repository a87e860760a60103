import GRDB
import KeyedLists
import ListStorage
import Locking

/// A whole list of another store, put in the place of what is here.
extension ListDatabase {
    /// Writes all rows of a list in one transaction; SQLite puts into the log what its cache has no room for.
    func replace(_ name: Key, with other: StoredList) throws -> Epoch {
        if memory.withLock({ $0.lists[name] == nil }) { _ = try load(name) }
        if try loaded(name).record.staged != nil { try finish(of: name) }
        let token = UInt64.random(in: 0 ... .max)
        let epoch = Epoch.random()
        try change(name, token: token, within: 5) { database, list in
            guard let id = list.record.id else { preconditionFailure("A list has its line before it is changed.") }
            try Self.empty(id, database)
            try list.begin(epoch, with: other, CommitWriter(database, list: id, sum: 0))
            try Self.record(token, database)
            return true
        }
        return epoch
    }

    /// Deletes all that a list has beside its line.
    private static func empty(_ list: Int64, _ database: Database) throws {
        for table in ["rows", "tombstones", "undoRows", "undoTombstones", "actionRuns", "unread", "heads"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE list = ?", arguments: [list])
        }
    }
}

extension LoadedList {
    /// Begins another history with the rows of another list, beyond the revisions of both.
    fileprivate mutating func begin(_ epoch: Epoch, with other: StoredList, _ writer: CommitWriter) throws {
        var writer = writer
        let revision = max(record.revision, other.list.revision) + 1
        try writer.put(other.list.rows, at: revision, isNew: true)
        var facts = other.facts.beyond(record.facts)
        facts.actionRuns = other.actionRuns
        facts.unread = other.unread
        facts.head = HeadKeys(of: other.list)
        try writer.keep(facts)
        take(facts)
        record.epoch = epoch
        record.revision = revision
        record.floor = revision
        record.sum = writer.sum
        isRestored = false
        runs = max(runs, facts.runs)
    }
}
