/// Decides which runs of one list's handler begin and end: single flight, joining, one trailing run, deadlines, and
/// the cancelling of work that nobody waits for.
///
/// ```
///             request                finished, deadline, cancelled
///   waiting ──────────▶ loading ─────────────────────────────────▶ closing ──600 ms──▶ waiting
///      ▲                  │ request: join, or one run after this one  │
///      └── tooSoon, refused                                           └── request ──▶ loading
/// ```
///
/// The next page of a list is a run like others, but no refresh: whoever wants a refresh does not join it, but ends it.
///
/// Pure: an event and the time go in, actions come out, and the list's own thread performs them in order.
struct RefreshGate {
    private(set) var phase: Phase = .waiting
    private(set) var runs: Int
    private var rules: Rules
    private var watchers = 0
    /// When the last watcher left (uptime).
    private var aloneSince: Int64
    /// When the last run began, or the list came into being (uptime).
    private var lastStart: Int64
    private var lastSuccess: Int64?
    /// No run begins any more: the server is about to stop.
    private var isDraining = false
    /// Whether runs begin by time here: not where another server leads.
    private let leads: Bool
    /// When the last run ended (uptime). A run that waited for it begins at that moment.
    private(set) var endedAt: Int64

    /// - Parameters:
    ///   - runs: run numbers used so far in this epoch; the first run here is the next.
    ///   - leads: whether runs begin by time.
    ///   - age: how long ago the last success was, where one is known: perhaps of an earlier start.
    init(rules: Rules, runs: Int, age: Duration? = nil, leads: Bool = true, now: Moment) {
        self.rules = rules
        self.leads = leads
        self.runs = runs
        lastSuccess = age.map { now.uptime - $0.milliseconds }
        lastStart = now.uptime
        aloneSince = now.uptime
        endedAt = now.uptime
    }

    var current: Current? {
        if case .loading(let current) = phase { current } else { nil }
    }

    // MARK: Events

    /// Somebody wants the list refreshed.
    mutating func request(_ request: Request, now: Moment) -> (Answer, [Action]) {
        if isDraining, !joins(request) { return (.refused(Self.stopping), []) }
        if var current, !current.isPage { return joinOrTrail(&current, request) }
        if request.cause == .pull || request.cause == .refresh, rest(now: now) > .zero { return (.tooSoon, []) }
        if let reason = rules.refusal() { return (.refused(reason), []) }
        let run = nextRun()
        let requesters = Set([request.requester].compactMap(\.self))
        return (.run(run, joined: false), dropPage() + start(run, request.cause, requesters, now: now))
    }

    /// How long the list is not yet refreshed for a person who asks.
    func rest(now: Moment) -> Duration {
        guard let interval = rules.minimumInterval, let lastSuccess else { return .zero }
        return max(.zero, .milliseconds(lastSuccess - now.uptime) + interval)
    }

    /// Somebody wants the page that follows the last row.
    mutating func requestPage(_ requester: Requester, now: Moment) -> (Answer, [Action]) {
        if isDraining { return (.refused(Self.stopping), []) }
        if var current {
            guard current.isPage else { return (.refused("The list is being refreshed."), []) }
            if current.cancelledAt == nil {
                current.requesters.insert(requester)
                phase = .loading(current)
                return (.run(current.run, joined: true), [])
            }
        }
        let run = nextRun()
        return (.run(run, joined: false), dropPage() + start(run, .more, [requester], now: now))
    }

    /// The run yielded a row or reported progress: its deadline counts from now.
    mutating func wasActive(_ run: RunID, now: Moment) -> [Action] {
        guard var current, current.run == run else { return [] }
        current.activeAt = now.uptime
        phase = .loading(current)
        return wake()
    }

    /// The run's handler has returned, and what it gave is being kept: from here on no deadline counts.
    mutating func returned(_ run: RunID) {
        guard var current, current.run == run else { return }
        current.deadline = nil
        phase = .loading(current)
    }

    /// The run's handler returned and its rows are kept, or it threw.
    mutating func finished(_ run: RunID, _ outcome: RefreshOutcome, now: Moment) -> [Action] {
        guard let current, current.run == run else { return [] }
        return end(current, current.cancelledAt == nil ? outcome : .cancelled, now: now)
    }

    /// A client no longer waits for this run (nil: for any). An initial load continues for the watchers.
    mutating func withdraw(_ requester: Requester, from run: RunID? = nil, now: Moment) -> [Action] {
        guard var current else { return [] }
        if run == nil || run == current.trailing?.run {
            let wasTrailing = current.trailing?.requesters.remove(requester) != nil
            if wasTrailing, current.trailing?.requesters.isEmpty == true { current.trailing = nil }
        }
        let wasRequester = (run == nil || run == current.run) && current.requesters.remove(requester) != nil
        phase = .loading(current)
        guard wasRequester, current.requesters.isEmpty else { return [] }
        return current.cause == .initial && run == nil ? wake() : cancel(current, now: now)
    }

    /// A person wants this run to end. It does when no other requester remains. An initial load has none: it goes on for those
    /// who watch besides.
    mutating func stop(_ run: RunID, by requester: Requester, now: Moment) -> [Action] {
        guard let current, current.run == run || current.trailing?.run == run else { return [] }
        if current.run == run, current.requesters.isEmpty { return watchers > 1 ? [] : cancel(current, now: now) }
        return withdraw(requester, from: run, now: now)
    }

    /// The number of watchers of the list changed.
    mutating func watchers(_ count: Int, now: Moment) -> [Action] {
        if count == 0, watchers > 0 { aloneSince = now.uptime }
        watchers = count
        return due(now: now)
    }

    /// The list is another. A run under way ends by the deadline that it began with.
    mutating func change(_ rules: Rules, now: Moment) -> [Action] {
        self.rules = rules
        return due(now: now)
    }

    /// The list is served no more: its run ends as cancelled, and none follows it.
    mutating func abandon(now: Moment) -> [Action] {
        guard var current else { return [] }
        current.trailing = nil
        return [.cancel(current.run)] + end(current, .cancelled, now: now)
    }

    /// The server is about to stop: the run under way is the last one. A page that is loaded may end, too.
    mutating func drain() {
        isDraining = true
        guard var current else { return }
        current.trailing = nil
        phase = .loading(current)
    }

    /// Time went on.
    mutating func due(now: Moment) -> [Action] {
        switch phase {
        case .loading(let current):
            overdue(current, now: now) ?? (current.isPage ? timer(now: now) : nil) ?? wake()
        case .closing(let since) where now.uptime >= since + rules.closing.milliseconds: settle(now: now)
        case .closing, .waiting: timer(now: now) ?? wake()
        }
    }

    // MARK: Of a list that another server leads

    /// Somebody waits for the run under way, too.
    mutating func join(_ requester: Requester) {
        guard var current, current.cancelledAt == nil else { return }
        current.requesters.insert(requester)
        phase = .loading(current)
    }

    /// Another server performs this run. One of the same number that began at another time is of another history, before the
    /// database was restored.
    mutating func follow(_ run: RunID, _ cause: RefreshCause, startedAt date: Int64, now: Moment) -> [Action] {
        guard current?.run != run || current?.startedAt.date != date else { return [] }
        runs = max(runs, run.number)
        let startedAt = Moment(uptime: now.uptime - max(0, now.date - date), date: date)
        phase = .loading(
            Current(
                run: run, cause: cause, startedAt: startedAt, requesters: [], activeAt: now.uptime, isElsewhere: true))
        return [.publish]
    }

    /// The run that another server performed is over.
    mutating func followEnd(now: Moment) -> [Action] {
        guard current != nil else { return [] }
        endedAt = now.uptime
        phase = .closing(since: now.uptime)
        return [.publish] + wake()
    }

    // MARK: Rules

    private static let stopping = "The server is about to stop."

    /// Whether the run under way is what is asked for.
    private func joins(_ request: Request) -> Bool {
        guard let current else { return false }
        return !current.isPage && !request.isAfter && current.cancelledAt == nil
    }

    private mutating func joinOrTrail(_ current: inout Current, _ request: Request) -> (Answer, [Action]) {
        defer { phase = .loading(current) }
        let wantsLater = request.isAfter || current.cancelledAt != nil
        guard wantsLater else {
            if let requester = request.requester { current.requesters.insert(requester) }
            return (.run(current.run, joined: true), [])
        }
        let joins = current.trailing != nil
        var trailing = current.trailing ?? Trailing(run: nextRun(), cause: request.cause, requesters: [])
        if let requester = request.requester { trailing.requesters.insert(requester) }
        current.trailing = trailing
        return (.run(trailing.run, joined: joins), [])
    }

    /// Numbers that were used elsewhere, as in a history that was restored, are not used again.
    mutating func skipRuns(upTo used: Int) { runs = max(runs, used) }

    private mutating func nextRun() -> RunID {
        runs += 1
        return RunID(runs)
    }

    private mutating func start(
        _ run: RunID, _ cause: RefreshCause, _ requesters: Set<Requester>, now: Moment
    ) -> [Action] {
        if cause != .more { lastStart = now.uptime }
        phase = .loading(
            Current(
                run: run, cause: cause, startedAt: now, requesters: requesters, activeAt: now.uptime,
                deadline: rules.deadline))
        return [.publish, .start(run, cause)] + wake()
    }

    private mutating func cancel(_ current: Current, now: Moment) -> [Action] {
        guard current.cancelledAt == nil else { return [] }
        var current = current
        current.cancelledAt = now.uptime
        phase = .loading(current)
        return [.cancel(current.run)] + wake()
    }

    private mutating func end(_ current: Current, _ outcome: RefreshOutcome, now: Moment) -> [Action] {
        endedAt = now.uptime
        if outcome.isSuccess, !current.isPage { lastSuccess = now.uptime }
        phase = .closing(since: now.uptime)
        let actions: [Action] = [.end(current.run, outcome), .publish]
        guard let trailing = current.trailing else { return actions + wake() }
        return actions + start(trailing.run, trailing.cause, trailing.requesters, now: now)
    }

    private mutating func overdue(_ current: Current, now: Moment) -> [Action]? {
        if let cancelledAt = current.cancelledAt {
            guard now.uptime >= cancelledAt + rules.patience.milliseconds else { return nil }
            return end(current, .cancelled, now: now)
        }
        if let deadline = current.deadline, now.uptime >= current.activeAt + deadline.milliseconds {
            return [.cancel(current.run)] + end(current, .timeout(after: deadline), now: now)
        }
        if isForNobody(current), now.uptime >= aloneSince + rules.grace.milliseconds {
            return cancel(current, now: now)
        }
        return nil
    }

    /// A run that a client or the initial load started, and that nobody watches any more.
    private func isForNobody(_ current: Current) -> Bool {
        !current.isElsewhere && watchers == 0 && current.requesters.isEmpty
            && (current.cause == .pull || current.cause == .initial)
    }

    private mutating func settle(now: Moment) -> [Action] {
        phase = .waiting
        return [.publish] + (timer(now: now) ?? wake())
    }

    /// `every`, which pauses without watchers. If the list refuses the run now, it is tried again after that interval.
    private mutating func timer(now: Moment) -> [Action]? {
        guard leads, let nextTimer, now.uptime >= nextTimer else { return nil }
        guard rules.refusal() == nil else {
            lastStart = now.uptime
            return nil
        }
        return dropPage() + start(nextRun(), .timer, [.program], now: now)
    }

    /// A page that still loads would follow a row that may be gone after the refresh that begins: it ends at once, and
    /// what comes of it is late.
    private func dropPage() -> [Action] {
        guard let current, current.isPage else { return [] }
        return (current.cancelledAt == nil ? [.cancel(current.run)] : []) + [.end(current.run, .cancelled)]
    }

    private func wake() -> [Action] {
        guard let moment = nextMoment() else { return [] }
        return [.wake(moment)]
    }

    private func nextMoment() -> Int64? {
        switch phase {
        case .loading(let current):
            if let cancelledAt = current.cancelledAt { return cancelledAt + rules.patience.milliseconds }
            let deadline = current.deadline.map { current.activeAt + $0.milliseconds }
            let grace = isForNobody(current) ? aloneSince + rules.grace.milliseconds : nil
            return [deadline, grace, current.isPage ? nextTimer : nil].compactMap(\.self).min()
        case .closing(let since):
            return since + rules.closing.milliseconds
        case .waiting: return nextTimer
        }
    }

    /// When `every` is due; nil while it rests.
    private var nextTimer: Int64? {
        guard leads, let every = rules.every, watchers > 0, !isDraining else { return nil }
        return lastStart + every.milliseconds
    }
}
