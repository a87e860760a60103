/// What a list is doing, told to all who watch it, byte for byte alike. A later one replaces an earlier one without loss.
/// Times are in milliseconds since 1970.
public struct ListState: Hashable, Sendable {
    /// Why a run was started.
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        /// Somebody began to watch a list that had not been loaded.
        case initial
        /// Somebody pulled.
        case pull
        /// Somebody pressed a button or sent a `refresh`.
        case refresh
        /// The program that serves the list asked for it.
        case code
        /// Its time had come.
        case timer
        /// Somebody asked for the next page.
        case more
    }

    /// The list's name.
    public var list: String
    /// waiting, loading or closing.
    public var phase: Phase
    /// The run under way, or the one that is closing.
    public var run: String?
    /// Why that run was started.
    public var cause: Cause?
    /// When it was started.
    public var startedAt: Int64?
    /// When the rows were last refreshed with success; nil before the first time.
    public var updatedAt: Int64?
    /// Since when the rows could not be refreshed; nil while they can.
    public var staleSince: Int64?
    /// Whether `more` may bring rows that follow the last one.
    public var hasMore: Bool
    /// How the last run ended; nil before the first.
    public var last: LastRun?

    /// Makes a state; members that are nil are not written.
    public init(
        list: String, phase: Phase, run: String? = nil, cause: Cause? = nil, startedAt: Int64? = nil,
        updatedAt: Int64? = nil, staleSince: Int64? = nil, hasMore: Bool = false, last: LastRun? = nil
    ) {
        self.list = list
        self.phase = phase
        self.run = run
        self.cause = cause
        self.startedAt = startedAt
        self.updatedAt = updatedAt
        self.staleSince = staleSince
        self.hasMore = hasMore
        self.last = last
    }
}
