/// Keeps who wants to be told of new rows, and of what they were told.
///
/// From any thread; each function blocks until it is done. What it returns from survives the end of the process.
public protocol SubscriptionStore: Sendable {
    /// All that is kept.
    func load() throws(ListStoreError) -> ([StoredSubscription], arrivals: [String: StoredArrivals])

    /// Writes all of it, or nothing.
    func keep(_ changes: SubscriptionChanges) throws(ListStoreError)

    /// Ends the use of the store.
    func close() throws(ListStoreError)
}
