public import KeyedLists
import Locking

/// Keeps lists for as long as the process runs; nothing touches a disk.
///
/// A list is found again by a second server that is given the same store, as in tests.
public final class MemoryStore: ListStore {
    private let lists = Locked<[Key: MemoryList]>([:])

    /// Makes an empty store.
    public init() {}

    /// Reads a list, or creates an empty one in a new epoch.
    public func load(_ list: String) throws(ListStoreError) -> StoredList {
        let kept = lists.withLock { lists in
            let kept = lists[Key(list)] ?? MemoryList()
            lists[Key(list)] = kept
            return kept
        }
        do {
            return StoredList(
                epoch: kept.epoch, isRestored: false, list: try kept.restored(), facts: kept.facts,
                actionRuns: kept.actionRuns, unread: kept.unread.values.sorted { $0.person < $1.person })
        } catch {
            throw .corrupt(path: "memory", reason: "\(error)")
        }
    }

    /// Keeps one revision of a list.
    public func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws {
        guard let (commit, facts) = try change() else { return }
        let isKept = self.change(list) { $0.keep(commit, facts: facts) }
        guard isKept else { throw ListStoreError.outOfStep(list: list, revision: commit.revision) }
    }

    /// Makes a copy of the list with the commit in it, so that others are not kept from the store.
    public func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit {
        var copy = change(list) { $0 }
        guard copy.keep(commit, facts: copy.facts) else {
            throw .outOfStep(list: list, revision: commit.revision)
        }
        return StagedCommit(commit, .copy(copy))
    }

    /// Puts the copy in the list's place.
    public func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        guard case .copy(var copy)? = staged.state else { return try commit(staged.commit, facts: facts, to: list) }
        copy.note(facts)
        let isKept = change(list) { [copy] kept in
            guard copy.follows(kept) else { return false }
            kept = copy
            return true
        }
        guard isKept else { throw .outOfStep(list: list, revision: staged.commit.revision) }
    }

    /// Keeps the facts of a list.
    public func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        change(list) { $0.note(facts) }
    }

    /// Gives a list a new epoch.
    public func renewEpoch(of list: String) throws(ListStoreError) -> Epoch {
        let epoch = Epoch.random()
        change(list) { $0.begin(epoch) }
        return epoch
    }

    /// Puts a list of another store in the place of what is here.
    public func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch {
        let epoch = Epoch.random()
        lists.withLock { $0[Key(list), default: MemoryList()].replace(with: other, epoch) }
        return epoch
    }

    /// Does nothing: the lists stay until the store is let go.
    public func close() throws(ListStoreError) {}

    private func change<Result>(_ list: String, _ body: (inout MemoryList) -> Result) -> Result {
        lists.withLock { lists in
            precondition(lists[Key(list)] != nil, "A list is loaded before it is changed.")
            return body(&lists[Key(list), default: MemoryList()])
        }
    }
}

/// One list in a ``MemoryStore``.
package struct MemoryList: Sendable {
    private(set) var epoch = Epoch.random()
    private(set) var facts = StoredFacts()
    private(set) var actionRuns: [StoredActionRun] = []
    private(set) var unread: [String: StoredUnread] = [:]
    private var revision: Revision = 0
    private var floor: Revision = 0
    private var rows: [Key: PlacedRow] = [:]
    private var tombstones: [Key: Tombstone] = [:]

    init() {}

    /// Takes a commit; false if it does not follow the last one.
    mutating func keep(_ commit: Commit, facts: StoredFacts) -> Bool {
        guard commit.revision == revision + 1 else { return false }
        for row in commit.rows {
            rows[row.key] = row
            tombstones[row.key] = nil
        }
        for tombstone in commit.tombstones {
            rows[tombstone.key] = nil
            tombstones[tombstone.key] = tombstone
        }
        if commit.floor > floor {
            tombstones = tombstones.filter { $0.value.revision > commit.floor }
            floor = commit.floor
        }
        revision = commit.revision
        note(facts)
        return true
    }

    /// Begins another history with the same rows, at the next revision.
    mutating func begin(_ epoch: Epoch) {
        self.epoch = epoch
        revision += 1
        floor = revision
        tombstones = [:]
    }

    /// Begins another history with the rows of another list, beyond the revisions of both.
    mutating func replace(with other: StoredList, _ epoch: Epoch) {
        rows = Dictionary(uniqueKeysWithValues: other.list.rows.map { ($0.key, $0) })
        revision = max(revision, other.list.revision)
        begin(epoch)
        facts = other.facts.beyond(facts)
        actionRuns = other.actionRuns
        unread = Dictionary(uniqueKeysWithValues: other.unread.map { ($0.person, $0) })
    }

    /// Takes facts, and adds what comes with them to what it has.
    mutating func note(_ facts: StoredFacts) {
        self.facts = facts.withoutAdditions
        for entry in facts.unread { unread[entry.person] = entry }
        let keys = Set(facts.actionRuns.map(\.key))
        guard !keys.isEmpty else { return }
        actionRuns.removeAll { keys.contains($0.key) }
        actionRuns = (actionRuns + facts.actionRuns).suffix(StoredActionRun.most)
    }

    /// Whether it is the other list one commit later.
    func follows(_ other: MemoryList) -> Bool { revision == other.revision + 1 && epoch == other.epoch }

    /// The list, made again.
    func restored() throws(RestoreError) -> KeyedList {
        try KeyedList(
            revision: revision, floor: floor, rows: rows.values.sorted { $0.position < $1.position },
            tombstones: tombstones.values.sorted { $0.revision < $1.revision })
    }
}
