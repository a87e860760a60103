public import KeyedLists

/// Stores lists between starts of the server.
///
/// A list is found by name, and created when it is first written; lists that are never asked for stay as they are.
/// Every function blocks until it is done. What writes waits no longer than a few milliseconds for other lists, and not at all
/// for other programs: then it throws ``ListStoreError/busy(path:)``, and has done nothing. Different lists may be used from
/// different threads at once, but one list from one thread at a time.
///
///     load ──► commit, note, renewEpoch … ──► close
///              stage ──► commit ──► finish: large commits, so that others need not wait for them
public protocol ListStore: Sendable {
    /// Reads a list, or creates an empty one in a new epoch.
    func load(_ list: String) throws(ListStoreError) -> StoredList

    /// Reads the first rows of a long list that was not loaded yet, in a millisecond or two. `nil` where they can't be known without
    /// the others, or the list is short.
    func head(of list: String) throws(ListStoreError) -> ListHead?

    /// Keeps one revision of a list that was loaded, and the facts as they are with it, all or nothing. What it returns
    /// from survives the end of the process. The commit must be the one after the last.
    ///
    /// - Parameter change: makes the commit, once it can be kept: what throws `busy` has not called it. Nil: there is none.
    /// - Throws: what `change` throws, else a ``ListStoreError``.
    func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws

    /// Writes the rows of a large commit invisibly, now or after the end of the process, until it is committed.
    ///
    /// For a thread of its own: it takes long, writes a few rows at a time, and lets others write between; it waits for other
    /// programs for 5 s. Until it is committed or taken back, the list may be loaded and noted, but no other commit be made.
    func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit

    /// Keeps a staged commit as `commit(to:_:)` does, in the same time however many rows it has.
    func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError)

    /// Takes back what was staged and not committed, or lets go of what that would have needed. For a thread of its own, as
    /// staging. Where the process ends before, the next one does it.
    func finish(of list: String) throws(ListStoreError)

    /// Keeps the facts of a list that was loaded, without a new revision.
    func note(_ facts: StoredFacts, of list: String) throws(ListStoreError)

    /// Gives a list that was loaded a new epoch, which begins at the next revision: watchers are at a revision, and revisions
    /// only grow. Its rows stay, and no patch leads to them. For a client that is ahead of us in an epoch from the store:
    /// some of its history was lost.
    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch

    /// Puts a list of another store in the place of what there is, all or nothing: its rows with their revisions, its
    /// facts, the runs of its actions, and what people have not seen.
    ///
    /// It begins a new epoch, beyond the revisions of both lists, without tombstones: no client has seen anything of it. For
    /// a store that no server uses: others wait until all rows are written. Beside the list, it takes a few MiB of memory.
    ///
    /// - Returns: the epoch.
    func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch

    /// The same store, where other servers may use it at once; nil where none does.
    var shared: (any SharedListStore)? { get }

    /// Why nothing can be stored at the moment, as of the last check; nil if it can. Returns at
    /// once.
    var fault: ListStoreError? { get }

    /// Calls back for each store event from now on, and for earlier ones. On any thread; once per store.
    func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void)

    /// Ends the use of the store, so that the next process can vouch for the lists' history. Further use throws
    /// ``ListStoreError/closed``; a second close does nothing.
    func close() throws(ListStoreError)
}

extension ListStore {
    /// Nil: all rows have to be read.
    public func head(of list: String) throws(ListStoreError) -> ListHead? { nil }

    /// Stages nothing: the rows are written when it is committed.
    public func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit { StagedCommit(commit) }

    /// Keeps it as any other.
    public func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        try commit(staged.commit, facts: facts, to: list)
    }

    /// Does nothing.
    public func finish(of list: String) throws(ListStoreError) {}

    /// Keeps a commit that was made already.
    public func commit(_ commit: Commit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        do { try self.commit(to: list) { (commit, facts) } } catch let error as ListStoreError { throw error } catch {
            preconditionFailure("A commit that is there throws nothing: \(error)")
        }
    }

    /// Nil: this server alone uses it.
    public var shared: (any SharedListStore)? { nil }

    /// Does nothing: for a store that no other program can reach.
    public var fault: ListStoreError? { nil }

    /// Reports nothing: for a store that no other program can reach.
    public func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void) {}
}

/// A list as a store gives it out.
public struct StoredList: Sendable {
    /// The epoch of its history.
    public var epoch: Epoch
    /// Whether the epoch was made by an earlier process, so that a client may know revisions of it that were lost: one
    /// that is ahead of us then meets a new epoch. False for a list that is new, and after a renewal.
    public var isRestored: Bool
    /// The rows, tombstones and revision.
    public var list: KeyedList
    /// Other stored facts.
    public var facts: StoredFacts
    /// The runs of actions that are remembered, oldest first.
    public var actionRuns: [StoredActionRun]
    /// What each person has not seen yet.
    public var unread: [StoredUnread]
    /// Of a store that is shared, what identifies the commit that made the revision.
    public var tag: Int

    /// Makes a list.
    public init(
        epoch: Epoch, isRestored: Bool, list: KeyedList, facts: StoredFacts, actionRuns: [StoredActionRun] = [],
        unread: [StoredUnread] = [], tag: Int = 0
    ) {
        self.tag = tag
        self.unread = unread
        self.actionRuns = actionRuns
        self.epoch = epoch
        self.isRestored = isRestored
        self.list = list
        self.facts = facts
    }
}

/// The stored state of a list besides its rows. Times are in milliseconds since 1970.
public struct StoredFacts: Hashable, Sendable {
    /// How many run numbers were used; none is used again in the list's epoch.
    public var runs: Int
    /// When the list was last refreshed with success.
    public var updatedAt: Int64?
    /// Since when it could not be refreshed.
    public var staleSince: Int64?
    /// How the last run ended, as JSON that the store does not read.
    public var lastRun: [UInt8]?
    /// Runs of actions that have begun or ended since facts were last kept. The store adds them to those that it has, and
    /// gives them back with the list, not with its facts.
    public var actionRuns: [StoredActionRun] = []
    /// What people have not seen, of those for whom it is another than when facts were last kept. As above.
    public var unread: [StoredUnread] = []
    /// Which rows the list begins with, where these are others than when facts were last kept. A store that gives out no heads
    /// need not keep it.
    public var head: HeadKeys?

    /// What is given back as facts.
    public var withoutAdditions: StoredFacts {
        var facts = self
        facts.actionRuns = []
        facts.unread = []
        facts.head = nil
        return facts
    }

    /// What is given back as facts of a list that takes the place of another: no number of a run comes again.
    package func beyond(_ other: StoredFacts) -> StoredFacts {
        var facts = withoutAdditions
        facts.runs = max(runs, other.runs)
        return facts
    }

    /// Makes facts; by default those of a new list.
    public init(runs: Int = 0, updatedAt: Int64? = nil, staleSince: Int64? = nil, lastRun: [UInt8]? = nil) {
        self.runs = runs
        self.updatedAt = updatedAt
        self.staleSince = staleSince
        self.lastRun = lastRun
    }
}

/// A run of an action, remembered so that a request for it that is sent again is not performed again.
public struct StoredActionRun: Hashable, Sendable {
    /// Of runs that are older than this, in milliseconds, or that are not among the newest of so many, a store may forget.
    public static let (age, most) = (Int64(7 * 24 * 3600 * 1000), 10_000)

    /// Identifies the request.
    public var key: [UInt8]
    /// Names the run.
    public var run: String
    /// When it began, in milliseconds since 1970.
    public var begunAt: Int64
    /// Its newest state, as JSON that the store does not read.
    public var state: [UInt8]

    /// Makes a run.
    public init(key: [UInt8], run: String, begunAt: Int64, state: [UInt8]) {
        self.key = key
        self.run = run
        self.begunAt = begunAt
        self.state = state
    }
}

/// The rows of a list that a person has not seen.
public struct StoredUnread: Hashable, Sendable {
    /// Identifies the person.
    public var person: String
    /// The rows, as JSON that the store does not read.
    public var keys: [UInt8]

    /// Makes an entry.
    public init(person: String, keys: [UInt8]) {
        self.person = person
        self.keys = keys
    }
}

/// A large commit whose rows are already written, and invisible until it is committed.
public struct StagedCommit: Sendable {
    /// What is to be committed.
    public let commit: Commit
    /// What the store knows of it; nil where nothing was written.
    package let state: State?

    package enum State: Sendable {
        /// The sum of the list's checksums, as it will be.
        case written(sum: Int)
        /// The list as it will be, for a store in memory.
        case copy(MemoryList)
    }

    /// One of which nothing was written yet: it is written when it is committed.
    public init(_ commit: Commit) { self.init(commit, nil) }

    package init(_ commit: Commit, _ state: State?) {
        self.commit = commit
        self.state = state
    }
}

/// An event of a store, logged as one line for the operator.
public enum StoreEvent: Hashable, Sendable, CustomStringConvertible {
    /// All lists are in new epochs, with the rows that the file has now: lists that are loaded are to be loaded again.
    case renewed(path: String, reason: String)
    /// Nothing can be kept from now on.
    case lost(ListStoreError)
    /// What was lost is there again.
    case recovered(path: String)
    /// What is kept may be lost all the same.
    case weak(path: String, reason: String)

    /// What happened, and what it means.
    public var description: String {
        switch self {
        case .renewed(let path, let reason):
            "The lists in \(path) come in new epochs, with the rows that are there now: \(reason)."
        case .lost(let error): "\(error)"
        case .recovered(let path): "\(path) can be used again."
        case .weak(let path, let reason): "What is kept in \(path) may be lost: \(reason)."
        }
    }
}
