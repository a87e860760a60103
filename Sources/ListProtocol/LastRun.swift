public import KeyedLists

/// How a run ended.
public struct LastRun: Hashable, Sendable {
    /// The four ways a run can end. Only success moves the list's `updatedAt`.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The handler returned, and its rows are committed.
        case success
        /// The handler threw.
        case failure
        /// Its deadline passed.
        case timeout
        /// Nobody wanted it any more.
        case cancelled
    }

    /// The run.
    public var run: String
    /// `more` if it loaded a page, which is no refresh: the rows are as old as before. Else nil: any other cause.
    public var cause: ListState.Cause?
    /// How it ended.
    public var outcome: Outcome
    /// How long it took, in milliseconds.
    public var duration: Int
    /// What it changed in the list.
    public var changes: ChangeCounts
    /// What went wrong, for people.
    public var error: RunError?

    /// Makes an outcome.
    public init(
        run: String, cause: ListState.Cause? = nil, outcome: Outcome, duration: Int, changes: ChangeCounts,
        error: RunError? = nil
    ) {
        self.run = run
        self.cause = cause
        self.outcome = outcome
        self.duration = duration
        self.changes = changes
        self.error = error
    }
}
