/// Keeps who wants to be told of new rows, and of what they were told.
///
/// From any thread; each function blocks until it is done. What it returns from survives the end of the process.
///
///     one server        load ──▶ keep, keep, keep
///     several servers   load ──▶ commit ──▶ who of those that are due is told here
///                        changes ◀── what the others have kept
public protocol SubscriptionStore: Sendable {
    /// All that is kept.
    func load() throws(ListStoreError) -> ([StoredSubscription], arrivals: [String: StoredArrivals])

    /// Writes all of it, or nothing.
    func keep(_ changes: SubscriptionChanges) throws(ListStoreError)

    /// Ends the use of the store.
    func close() throws(ListStoreError)

    // MARK: Where several servers use it

    /// Whether other servers may use it as well. By default, none does, and what follows is the same as `keep`.
    var isShared: Bool { get }

    /// Writes changes, and decides which of those that are due are told by this server. Where it throws, some of them may be
    /// written; written again, they have the effect of once.
    ///
    /// - Returns: what became of each of `SubscriptionChanges.due`.
    func commit(_ changes: SubscriptionChanges) throws(ListStoreError) -> [SubscriptionName: TellOutcome]

    /// What other servers have changed since it was last read, and perhaps what this one has.
    func changes() throws(ListStoreError) -> SubscriptionUpdate

    /// Has a function called, on any thread, when there may be changes, and now and then.
    func onChanges(_ tell: @escaping @Sendable () -> Void)
}

extension SubscriptionStore {
    /// No other server uses it.
    public var isShared: Bool { false }

    /// All that are due are told.
    public func commit(_ changes: SubscriptionChanges) throws(ListStoreError) -> [SubscriptionName: TellOutcome] {
        try keep(changes)
        var outcomes: [SubscriptionName: TellOutcome] = [:]
        for subscription in changes.set where changes.due.contains(subscription.name) {
            outcomes[subscription.name] = .told(seen: subscription.seen)
        }
        return outcomes
    }

    /// Nothing.
    public func changes() throws(ListStoreError) -> SubscriptionUpdate { SubscriptionUpdate() }

    /// There are none.
    public func onChanges(_ tell: @escaping @Sendable () -> Void) {}
}
