public import KeyedLists

/// Where lists are kept between runs of the server.
///
/// A list is found by name, and created when it is first written; lists that are never asked for stay as they are.
/// Every function blocks until it is done. Different lists may be used from different threads at once, but one list from
/// one thread at a time.
///
///     load ──► commit, note, renewEpoch … ──► close
public protocol ListStore: Sendable {
    /// Reads a list, or creates an empty one in a new epoch.
    func load(_ list: String) throws(ListStoreError) -> StoredList

    /// Keeps one revision of a list that was loaded, and the facts as they are with it, all or nothing. What it returns
    /// from survives the end of the process. The commit must be the one after the last.
    func commit(_ commit: Commit, facts: StoredFacts, to list: String) throws(ListStoreError)

    /// Keeps the facts of a list that was loaded, without a new revision.
    func note(_ facts: StoredFacts, of list: String) throws(ListStoreError)

    /// Gives a list that was loaded a new epoch; its rows and revision stay. For a client that is ahead of us in an epoch
    /// from the store: some of its history was lost.
    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch

    /// Why nothing can be kept at the moment, as of the last look at where it is kept; nil while all is well. Returns at
    /// once.
    var fault: ListStoreError? { get }

    /// Has news told from now on, and what there was before. On any thread; once for a store.
    func onNews(_ tell: @escaping @Sendable (StoreNews) -> Void)

    /// Ends the use of the store, so that the next process can vouch for the lists' history. Further use throws
    /// ``ListStoreError/closed``; a second close does nothing.
    func close() throws(ListStoreError)
}

extension ListStore {
    /// Nothing: for a store that nobody else can reach.
    public var fault: ListStoreError? { nil }

    /// Nothing is told: for a store that nobody else can reach.
    public func onNews(_ tell: @escaping @Sendable (StoreNews) -> Void) {}
}
