public import KeyedLists

/// Where lists are kept between runs of the server.
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

    /// Keeps one revision of a list that was loaded, and the facts as they are with it, all or nothing. What it returns
    /// from survives the end of the process. The commit must be the one after the last.
    ///
    /// - Parameter change: makes the commit, once it can be kept: what throws `busy` has not called it. Nil: there is none.
    /// - Throws: what `change` throws, else a ``ListStoreError``.
    func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws

    /// Writes the rows of a large commit where nobody sees them, now or after the end of the process, until it is committed.
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

    /// Gives a list that was loaded a new epoch; its rows and revision stay. For a client that is ahead of us in an epoch
    /// from the store: some of its history was lost.
    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch

    /// Why nothing can be kept at the moment, as of the last look at where it is kept; nil while all is well. Returns at
    /// once.
    var fault: ListStoreError? { get }

    /// Has news told from now on, and what there was before. On any thread; once for a store.
    func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void)

    /// Ends the use of the store, so that the next process can vouch for the lists' history. Further use throws
    /// ``ListStoreError/closed``; a second close does nothing.
    func close() throws(ListStoreError)
}

extension ListStore {
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

    /// Nothing: for a store that nobody else can reach.
    public var fault: ListStoreError? { nil }

    /// Nothing is told: for a store that nobody else can reach.
    public func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void) {}
}
