public import KeyedLists

/// A large commit whose rows are written already, where nobody sees them until it is committed.
public struct StagedCommit: Sendable {
    /// What is to be committed.
    public let commit: Commit
    /// What the store knows of it; nil where nothing was written.
    let state: State?

    enum State: Sendable {
        /// The sum of the list's checksums, as it will be.
        case written(sum: Int)
        /// The list as it will be, for a store in memory.
        case copy(MemoryList)
    }

    /// One of which nothing was written yet: it is written when it is committed.
    public init(_ commit: Commit) { self.init(commit, nil) }

    init(_ commit: Commit, _ state: State?) {
        self.commit = commit
        self.state = state
    }
}
