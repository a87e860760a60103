public import KeyedLists
import ListStorage

/// A list's rows and their store. A commit is stored before it is visible.
struct PersistentList {
    let name: String
    var rows: KeyedList
    var epoch: Epoch
    var facts: StoredFacts
    /// The runs of actions that the store remembered when the list was read.
    let actionRuns: [StoredActionRun]
    /// What people had not seen then.
    let unread: [StoredUnread]
    /// Whether the epoch was found in the store. A client that is ahead of us in it knows a history that we have lost.
    private(set) var isRestored: Bool
    private let store: any ListStore
    /// Where the list was before a commit that failed, until the rows have been read again: they may hold it.
    private var doubtfulSince: Revision?
    /// Whether the facts are newer than those in the store.
    var owesFacts = false
    /// Which rows it was kept to begin with; nil: nobody knows.
    private var keptHead: HeadKeys?
    /// Of a store that is shared, what identifies the commit that made the revision.
    var tag: Int
    /// Whether the last update from it had other facts.
    var hasOtherFacts = false

    /// Reads the list, or begins an empty one.
    init(_ name: String, from store: any ListStore) throws(ListStoreError) {
        let stored = try store.load(name)
        self.name = name
        self.store = store
        rows = stored.list
        epoch = stored.epoch
        facts = stored.facts
        actionRuns = stored.actionRuns
        unread = stored.unread
        isRestored = stored.isRestored
        tag = stored.tag
    }

    /// The newest stored revision, as far as it is known.
    var revision: Revision { doubtfulSince ?? rows.revision }

    /// Whether `rows` may hold what is not kept. Nobody must see them before they were settled.
    var isInDoubt: Bool { doubtfulSince != nil }

    /// How rows that were in doubt were settled.
    enum DoubtOutcome {
        /// They were not, or nothing was kept that nobody has been told of.
        case asTheyWere
        /// This was kept although the store failed.
        case patch(Patch)
        /// They are of another history, and those who watch know this revision of the old one.
        case anew(since: Revision)
    }

    /// Changes the rows in one transaction, and keeps the facts with them. Nil where nothing changed.
    ///
    /// While another holds the store, this throws `busy`, and nothing was changed. When the store fails otherwise, the rows
    /// are in doubt, and to be settled before they are used.
    mutating func commit(at now: Moment, _ change: (inout KeyedList) throws -> Commit?) throws -> Commit? {
        precondition(!isInDoubt, "Rows in doubt are settled before they are changed.")
        // Nothing is tried that can't be kept: it would be in doubt, and to be read again.
        if let fault = store.fault { throw fault }
        let store = store
        var made: Commit?
        var head: HeadKeys?
        try store.commit(to: name) {
            let last = rows.revision
            made = try change(&rows)
            guard let made else { return nil }
            doubtfulSince = last
            head = HeadKeys(of: rows)
            return (made, facts(with: head))
        }
        guard let commit = made else { return nil }
        doubtfulSince = nil
        factsWereKept(with: head)
        prune(at: now)
        return commit
    }

    /// Something else has written to the store: what it has now is another matter.
    mutating func doubt() { doubtfulSince = doubtfulSince ?? rows.revision }

    /// Takes over rows that were changed elsewhere and staged, in one small transaction. Throws as `commit` does.
    ///
    /// - Returns: The rows as they were. To let go of many takes time.
    mutating func adopt(_ result: BackgroundChange, _ staged: StagedCommit, at now: Moment) throws -> KeyedList {
        precondition(!isInDoubt, "Rows in doubt are settled before they are changed.")
        doubtfulSince = rows.revision
        do { try store.commit(staged, facts: facts(with: result.head), to: name) } catch {
            if case .busy = error { doubtfulSince = nil }
            throw error
        }
        doubtfulSince = nil
        factsWereKept(with: result.head)
        let old = rows
        rows = result.take() ?? rows
        prune(at: now)
        return old
    }

    /// Reads rows that are in doubt again, so that no change is seen that is not kept.
    mutating func settle() throws(ListStoreError) -> DoubtOutcome {
        guard let last = doubtfulSince else { return .asTheyWere }
        let stored = try store.load(name)
        rows = stored.list
        keptHead = nil
        doubtfulSince = nil
        guard stored.epoch == epoch else {
            epoch = stored.epoch
            isRestored = stored.isRestored
            // Requests that were answered are remembered in any history, and so is what was seen.
            let owed = facts
            facts = stored.facts
            facts.actionRuns = owed.actionRuns
            facts.unread = owed.unread
            owesFacts = facts != stored.facts
            return .anew(since: last)
        }
        guard rows.revision > last, let patch = rows.patch(since: last) else { return .asTheyWere }
        return .patch(patch)
    }

    /// Keeps facts without a change of rows. Those that can't be kept are told all the same, for they are true, and are kept
    /// with whatever is kept next.
    mutating func note(_ facts: StoredFacts) throws(ListStoreError) {
        owe(facts)
        try payFacts()
    }

    /// Takes over facts that are still to be kept.
    mutating func owe(_ facts: StoredFacts) {
        guard facts != self.facts else { return }
        self.facts = facts
        owesFacts = true
    }

    /// Keeps the facts, unless they are.
    mutating func payFacts() throws(ListStoreError) {
        guard owesFacts else { return }
        let head = isInDoubt ? nil : HeadKeys(of: rows)
        try store.note(facts(with: head), of: name)
        factsWereKept(with: head)
    }

    /// The facts with the head, unless that is kept.
    private func facts(with head: HeadKeys?) -> StoredFacts {
        var facts = facts
        facts.head = head == keptHead ? nil : head
        return facts
    }

    mutating func factsWereKept(with head: HeadKeys? = nil) {
        owesFacts = false
        facts = facts.withoutAdditions
        keptHead = head ?? keptHead
    }

    /// Begins a new history with the same rows, because a client has seen more of this one than we kept. Then the rows are in
    /// doubt, and `settle` reads them where that history begins.
    mutating func renewEpoch() throws(ListStoreError) {
        _ = try store.renewEpoch(of: name)
        doubt()
    }

    /// Prunes tombstones that hardly any client still needs.
    mutating func prune(at now: Moment) {
        rows.prune(keeping: max(1000, rows.count), newerThan: now.date - 7 * 24 * 3600 * 1000)
    }
}

/// A point in a list's history: a revision, and the epoch in which it counts.
///
/// Written `epoch:revision`, as in the entity tags of `GET /lists/NAME` and in `If-Match`.
public struct ListRevision: Hashable, Sendable, CustomStringConvertible {
    /// The history in which `revision` counts.
    public var epoch: Epoch
    /// Grows by one with each change.
    public var revision: Revision

    /// Creates a revision of an epoch.
    public init(epoch: Epoch, revision: Revision) {
        self.epoch = epoch
        self.revision = revision
    }

    /// The epoch and the revision, such as `k3f0a:418`.
    public var description: String { "\(epoch):\(revision)" }
}
