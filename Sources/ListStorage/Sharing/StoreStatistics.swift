/// What a shared store does in its database, as it is measured.
public enum StoreOperation: String, CaseIterable, Hashable, Sendable {
    /// Reads a list from a place on.
    case read
    /// Keeps a change.
    case commit
    /// Takes the lead of a list.
    case lead
    /// Gives up the lead of a list.
    case resign
    /// Asks a list's leader.
    case ask
    /// Says that this server is there, and looks for changes, twice a second and when its interest changes.
    case look
    /// Gives a list a new epoch for a client that has seen more than there is.
    case renew
    /// Tells other servers of changes.
    case notify
    /// Reads or keeps who wants to be notified.
    case subscriptions
    /// Forgets what is old, once a minute.
    case tidy
}

/// How a server heard that another may have changed a list.
public enum ChangeSignal: String, CaseIterable, Hashable, Sendable {
    /// By a notice, some milliseconds after the commit.
    case notice
    /// By a look, up to half a second after the commit: the notice was late, or did not come.
    case look
    /// The database is there again, or its notices are heard again: changes may have been missed.
    case reconnect
}

/// What a shared store has done since it was opened, and how many connections it has.
public struct StoreStatistics: Hashable, Sendable {
    /// Operations that failed: the database could not be reached, was too slow, or refused them.
    public var errors: [StoreOperation: Int] = [:]
    /// Connections for statements that are open or being opened.
    public var connections = 0
    /// Changes that were not kept, as another server was sooner.
    public var conflicts = 0
    /// Lists that this server gave a new epoch.
    public var renewedEpochs = 0

    /// Of a store that has done nothing.
    public init() {}
}
