public import KeyedLists

/// A run that is over.
public struct FinishedRun: Hashable, Sendable {
    /// Which it was.
    public let id: RunID
    /// Why it began.
    public let cause: RefreshCause
    /// How it ended.
    public let outcome: RefreshOutcome
    /// From before the handler's first instruction until after its last row was committed.
    public let duration: Duration
    /// What it did to the list.
    public let changes: ChangeCounts
}
