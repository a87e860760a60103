/// What is kept of a list besides its rows. Times are in milliseconds since 1970.
public struct StoredFacts: Hashable, Sendable {
    /// How many run numbers were used; none is used again in the list's epoch.
    public var runs: Int
    /// When the list was last refreshed with success.
    public var updatedAt: Int64?
    /// Since when it could not be refreshed.
    public var staleSince: Int64?
    /// How the last run ended, as JSON that the store does not read.
    public var lastRun: [UInt8]?

    /// Makes facts; by default those of a new list.
    public init(runs: Int = 0, updatedAt: Int64? = nil, staleSince: Int64? = nil, lastRun: [UInt8]? = nil) {
        self.runs = runs
        self.updatedAt = updatedAt
        self.staleSince = staleSince
        self.lastRun = lastRun
    }
}
