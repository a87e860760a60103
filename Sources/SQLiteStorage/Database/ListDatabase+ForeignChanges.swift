import GRDB
import KeyedLists
import ListStorage
import Locking

/// Detects that another program has written to the file, and gives all lists new epochs.
extension ListDatabase {
    /// Takes the file up as it is now, if another program has written to it: from then on all lists are in new epochs, at
    /// revisions beyond any that a client has seen, with the rows that the file has. All of it or nothing.
    ///
    /// - Parameter generation: takes it up whoever has written, unless that was done since.
    /// - Returns: whether it was done.
    @discardableResult
    func takeUp(
        after generation: Int? = nil,
        because reason: String = "another program has written to it, or a disk has changed it"
    ) throws -> Bool {
        try pool.writeWithoutTransaction { database in
            var (lists, opening, known, version) = memory.withLock {
                ($0.lists, $0.opening, $0.generation, $0.version)
            }
            guard try generation.map({ $0 == known }) ?? (Self.version(database) != version) else { return false }
            opening.token = UInt64.random(in: 0 ... .max)
            var damage: [Key: ListStoreError] = [:]
            try database.inTransaction(.immediate) {
                try Schema.prepare(database, path: path)
                (lists, damage) = try renew(lists, database)
                try Self.record(opening, database)
                return .commit
            }
            version = try Self.version(database)
            known += 1
            let sound = lists.filter { damage[$0.key] == nil }.values
            let mark = OpeningRecord(
                token: opening.token ?? 0, tally: sound.reduce(0) { $0 + $1.tally },
                owed: sound.reduce(0) { $0 + $1.owed })
            memory.withLock { [lists, damage, opening, version, known] memory in
                memory = Memory(
                    lists: lists, damage: damage, isHistoryNew: true, opening: opening,
                    mark: mark, version: version, generation: known, checkpointer: memory.checkpointer)
                lock.leave(memory.mark)
            }
            tell(.renewed(path: path, reason: reason))
            return true
        }
    }

    /// Gives all lists of the file new epochs.
    ///
    /// - Parameter lists: those that were loaded.
    /// - Returns: what is to be remembered of all, and which of those that were loaded can't be read any more.
    private func renew(
        _ lists: [Key: LoadedList], _ database: Database
    ) throws -> (lists: [Key: LoadedList], damage: [Key: ListStoreError]) {
        let found = try ListRecord.all(database)
        var renewed: [Key: LoadedList] = [:]
        var damage: [Key: ListStoreError] = [:]
        for record in found.sound {
            renewed[record.name] = try continued(record, after: lists[record.name], database)
        }
        for (name, known) in lists where renewed[name] == nil {
            guard !found.damaged.isEmpty else {
                renewed[name] = try continued(ListRecord(new: name), after: known, database)
                continue
            }
            renewed[name] = known
            damage[name] = .damaged(
                path: path, list: name.string, reason: "the line of the list does not fit its checksum")
        }
        return (renewed, damage)
    }

    /// A list goes on beyond what was known of it. Whoever watches it is at a revision, and revisions only grow: so it is told
    /// what the list has now as it is told anything.
    private func continued(
        _ found: ListRecord, after known: LoadedList?, _ database: Database
    ) throws -> LoadedList {
        var list = found.renewed()
        if list.id == nil { try list.insert(database) }
        let before = list.id == found.id ? found : list
        if let id = list.id, let staged = list.staged {
            try Undo(list: id, staged: staged).takeBack(database)
            list.staged = nil
        }
        list.revision = max(found.revision, known?.record.revision ?? 0) + 1
        list.floor = list.revision
        list.facts.runs = max(found.facts.runs, known?.runs ?? 0)
        if let id = list.id, let sum = list.sum {
            var writer = CommitWriter(database, list: id, sum: sum)
            try writer.forget(upTo: list.floor)
            list.sum = writer.sum
        }
        guard try list.replace(before, database) else {
            throw ListStoreError.corrupt(path: path, reason: "the line of the list \"\(list.name)\" can't be written")
        }
        return LoadedList(list, isRestored: false, runs: known?.runs ?? 0)
    }

    /// Takes the file up that was away: it may have been written to where nobody could see it, so what of it is in memory is
    /// let go.
    func takeUpAgain() throws {
        pool.releaseMemory()
        try takeUp(after: memory.withLock { $0.generation }, because: "the file was away for a time")
    }
}

extension ListRecord {
    /// The same list in another epoch.
    func renewed() -> ListRecord {
        var record = self
        record.epoch = .random()
        return record
    }
}
