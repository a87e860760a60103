/// What a gate is told, and what it says.
extension RefreshGate {
    /// Who asked for a run, and whether the asking ends when its connection does.
    enum Requester: Hashable, Sendable {
        /// A person's session. It can withdraw, and a run that only withdrawn sessions asked for is cancelled.
        case session(String)
        /// Who awaits the outcome: Swift code, which withdraws when its task is cancelled, or an HTTP request, which does
        /// when its sender leaves.
        case call(ObjectIdentifier)
        /// Swift code that does not wait, or a timer. It never withdraws.
        case program
        /// Whoever waits at another server, which says when nobody does any more.
        case node(String)
    }

    struct Request: Sendable {
        var requester: Requester?
        var cause: RefreshCause
        var isAfter = false
    }

    enum Answer: Hashable, Sendable {
        case run(RunID, joined: Bool)
        case tooSoon
        case refused(String)
        /// The gesture was down while the list was refreshed.
        case spent
        /// The store can't be reached.
        case unavailable
    }

    enum Action: Hashable {
        case start(RunID, RefreshCause)
        /// Cancel the handler's task. The run lasts until it has returned, or until `end`.
        case cancel(RunID)
        /// The run is over. Rows are committed, or dropped, before the list's state is published.
        case end(RunID, RefreshOutcome)
        /// The list's state changed and is to be published.
        case publish
        /// Nothing is to happen before this moment (uptime). Replaces the earlier one.
        case wake(Int64)
    }

    /// Where the list is in its life between two runs.
    enum Phase: Hashable {
        case waiting
        case loading(Current)
        case closing(since: Int64)
    }

    /// The run under way.
    struct Current: Hashable {
        var run: RunID
        var cause: RefreshCause
        var startedAt: Moment
        var requesters: Set<Requester>
        /// Its start, its last row or its last report (uptime): the deadline counts from here.
        var activeAt: Int64
        /// When its handler was asked to stop (uptime).
        var cancelledAt: Int64?
        /// How long it may be silent, as it was when it began.
        var deadline: Duration?
        var trailing: Trailing?
        /// Whether another server performs it, and decides on it.
        var isElsewhere = false

        var isPage: Bool { cause == .more }
    }

    /// The one run that begins when the current one ends.
    struct Trailing: Hashable {
        var run: RunID
        var cause: RefreshCause
        var requesters: Set<Requester>
    }

    struct Rules: Sendable {
        /// How long a run may be silent. Nil: for ever.
        var deadline: Duration? = .seconds(30)
        var every: Duration?
        var minimumInterval: Duration?
        /// Says no, with a reason, to a run that would begin.
        var refusal: RefreshableList.Refusal = { nil }
        /// How long a requested run lasts without watcher or requester. A locked phone returns within it.
        var grace: Duration = .seconds(10)
        /// How long the result is shown before the list waits again.
        var closing: Duration = .milliseconds(600)
        /// How long a cancelled handler may take to return before its run ends without it.
        var patience: Duration = .seconds(2)
    }
}
