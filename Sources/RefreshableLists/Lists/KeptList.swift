import KeyedLists
import ListStorage

/// A list's rows together with the store that keeps them: what is committed here is kept before anybody sees it.
struct KeptList {
    let name: String
    private(set) var rows: KeyedList
    private(set) var epoch: Epoch
    private(set) var facts: StoredFacts
    /// Whether the epoch was found in the store. A client that is ahead of us in it knows a history that we have lost.
    private(set) var isRestored: Bool
    private let store: any ListStore

    /// Reads the list, or begins an empty one.
    init(_ name: String, from store: any ListStore) throws(ListStoreError) {
        let stored = try store.load(name)
        self.name = name
        self.store = store
        rows = stored.list
        epoch = stored.epoch
        facts = stored.facts
        isRestored = stored.isRestored
    }

    /// Changes the rows in one transaction. Nil where nothing changed; then facts alone are kept, if they changed.
    ///
    /// When the store fails, the rows are read from it again, so that no change is seen that is not kept.
    mutating func commit(
        _ facts: StoredFacts? = nil, at now: Moment, _ change: (inout KeyedList) throws -> Commit?
    ) throws -> Commit? {
        guard let commit = try change(&rows) else {
            if let facts { try note(facts) }
            return nil
        }
        do {
            try store.commit(commit, facts: facts ?? self.facts, to: name)
        } catch {
            rows = try store.load(name).list
            throw error
        }
        self.facts = facts ?? self.facts
        prune(at: now)
        return commit
    }

    /// Keeps facts without a change of rows.
    mutating func note(_ facts: StoredFacts) throws(ListStoreError) {
        guard facts != self.facts else { return }
        try store.note(facts, of: name)
        self.facts = facts
    }

    /// Begins a new history with the same rows, because a client has seen more of this one than we kept.
    mutating func renewEpoch() throws(ListStoreError) {
        epoch = try store.renewEpoch(of: name)
        isRestored = false
    }

    /// Forgets removals that hardly anybody still has to hear of.
    private mutating func prune(at now: Moment) {
        rows.prune(keeping: max(1000, rows.count), newerThan: now.date - 7 * 24 * 3600 * 1000)
    }
}
