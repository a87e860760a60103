import DequeModule
import KeyedLists
import ListStorage

/// Decides which runs of a list's actions begin and end: one run for all who want the same of a row, a few at a time, deadlines,
/// the cancelling of what nobody wants any more, and what can be undone.
///
/// ```
///            request             begin              finished, deadline, cancelled
///   (new) ───────────▶ waiting ─────────▶ loading ───────────────────────────────▶ over ──undo, within 10 s──▶ (new)
///            join ──────────┴────────────────┘
/// ```
///
/// Pure: an event and the time go in, actions come out, and the list's own thread performs them in order.
struct ActionRuns {
    /// Names one run of an action: 64 random bits, so that no start of the server gives a name twice.
    struct ID: Hashable, Sendable, CustomStringConvertible {
        let description: String

        static func random() -> ID { ID(description: "a" + String(UInt64.random(in: 0 ... .max), radix: 36)) }

        init(description: String) { self.description = description }

        /// Reads a name as it stands in messages.
        init?(_ text: String) {
            guard text.first == "a", 2...16 ~= text.utf8.count else { return nil }
            self.init(description: text)
        }
    }

    /// What is done to which row.
    struct Use: Hashable, Sendable {
        var action: String
        var row: Key
        /// The run that is taken back; nil: the action itself is done.
        var undoes: ID?
    }

    /// A row as it was before an action changed it.
    struct Former: Hashable, Sendable {
        var row: ListRow
        /// The key of the row that it followed; nil: it was the first.
        var previous: Key?
    }

    /// A run that is not over.
    struct Current: Hashable {
        let id: ID
        let use: Use
        /// Of an undoing, the row that it is to bring back.
        var former: Former?
        /// The sessions that want it. It is cancelled when none remains.
        var requesters: Set<String>
        /// Its begin or its last report (uptime): the deadline counts from here. Nil while it waits for its turn.
        var activeAt: Int64?
        /// When its handler was asked to stop (uptime).
        var cancelledAt: Int64?
        /// The row as it was before the effect; nil where there was none, or not yet.
        var changed: Former?
        /// Whether its handler has returned, and its effect is being kept.
        var hasReturned = false
    }

    enum Answer: Hashable {
        case run(ID, joined: Bool)
        /// Nothing can be undone any more.
        case spent
        case refused(String)
    }

    enum Action: Hashable {
        /// Call the handler.
        case begin(ID, Use)
        /// Cancel the handler's task.
        case cancel(ID)
        /// The run is over without success.
        case end(ID, Use, RefreshOutcome)
    }

    /// So many handlers run at a time, and so many runs wait.
    private static let (mostAtOnce, mostWaiting) = (8, 256)

    private(set) var current: [ID: Current] = [:]
    /// Runs whose handlers have not begun, in order.
    private var waiting: Deque<ID> = []
    /// Handlers that have not returned although their runs are over.
    private(set) var overdue = 0
    /// Runs that can be undone, and until when (uptime).
    private var undoable: [ID: (use: Use, former: Former, until: Int64)] = [:]

    var isEmpty: Bool { current.isEmpty }

    /// How long people are still to be offered to undo a run; nil: not at all.
    func undoOffer(of run: String, now: Moment) -> Duration? {
        guard let until = undoable[ID(description: run)]?.until else { return nil }
        let rest = Duration.milliseconds(until - now.uptime) - (RowAction.undoLimit - RowAction.undoOffer)
        return rest > .zero ? rest : nil
    }

    // MARK: Events

    /// Somebody wants an action used.
    mutating func request(_ use: Use, of former: Former? = nil, by requester: String) -> Answer {
        if let known = current.values.first(where: { $0.use == use && $0.cancelledAt == nil }) {
            current[known.id]?.requesters.insert(requester)
            return .run(known.id, joined: true)
        }
        guard waiting.count < Self.mostWaiting else {
            return .refused("Too many actions of this list wait for their turn. Try again in a moment.")
        }
        let id = ID.random()
        current[id] = Current(id: id, use: use, former: former, requesters: [requester])
        return .run(id, joined: false)
    }

    /// Somebody wants a run that was begun for another session, or for an earlier one of theirs.
    mutating func join(_ run: String, by requester: String) {
        current[ID(description: run)]?.requesters.insert(requester)
    }

    /// Somebody wants a run undone.
    mutating func request(undoing id: ID, by requester: String, now: Moment) -> Answer {
        forgetUndoable(now: now)
        // Two who undo the same share the run.
        if let known = current.values.first(where: { $0.use.undoes == id && $0.cancelledAt == nil }) {
            return request(known.use, by: requester)
        }
        guard let offer = undoable[id] else { return .spent }
        var use = offer.use
        use.undoes = id
        let answer = request(use, of: offer.former, by: requester)
        if case .run = answer { undoable[id] = nil }
        return answer
    }

    /// The run's request is kept: its handler may begin, in its turn.
    mutating func kept(_ id: ID, now: Moment) -> [Action] {
        guard current[id] != nil else { return [] }
        waiting.append(id)
        return next(now: now)
    }

    /// The handler reported progress: its deadline counts from now.
    mutating func wasActive(_ id: ID, now: Moment) { current[id]?.activeAt = now.uptime }

    /// The handler returned or threw; nil where its run is over already.
    mutating func returned(_ id: ID, now: Moment) -> (Current?, [Action]) {
        guard current[id] != nil else {
            overdue -= 1
            return (nil, next(now: now))
        }
        current[id]?.hasReturned = true
        return (current[id], next(now: now))
    }

    /// A run is about to change this row.
    ///
    /// - Parameter previous: the key of the row that it follows; nil: it is the first.
    mutating func change(_ row: ListRow, after previous: Key?, by id: ID) {
        current[id]?.changed = Former(row: row, previous: previous)
    }

    /// What a run did is kept: it is over.
    ///
    /// - Parameter isUndoable: whether it can be undone from now on, for some seconds.
    mutating func succeed(_ id: ID, isUndoable: Bool, now: Moment) {
        guard let run = remove(id), isUndoable, let former = run.changed else { return }
        undoable[id] = (run.use, former, now.uptime + RowAction.undoLimit.milliseconds)
    }

    /// A run is over without success. If it was to undo another, that can be tried again.
    mutating func fail(_ id: ID, now: Moment) {
        guard let run = remove(id), let undone = run.use.undoes, let former = run.former else { return }
        var use = run.use
        use.undoes = nil
        undoable[undone] = (use, former, now.uptime + RowAction.undoLimit.milliseconds)
    }

    private mutating func remove(_ id: ID) -> Current? {
        waiting.removeAll { $0 == id }
        return current.removeValue(forKey: id)
    }

    /// A person does not want this run any more.
    mutating func withdraw(_ requester: String, from id: ID, now: Moment) -> [Action] {
        guard var run = current[id], !run.hasReturned, run.cancelledAt == nil,
            run.requesters.remove(requester) != nil
        else { return [] }
        if run.requesters.isEmpty { run.cancelledAt = now.uptime }
        current[id] = run
        guard run.requesters.isEmpty else { return [] }
        guard run.activeAt != nil else {
            fail(id, now: now)
            return [.end(id, run.use, .cancelled)]
        }
        return [.cancel(id)]
    }

    /// Time went on.
    ///
    /// - Parameter deadline: how long a handler may be silent; nil: for ever.
    mutating func due(deadline: Duration?, now: Moment) -> [Action] {
        forgetUndoable(now: now)
        var actions: [Action] = []
        for run in current.values where !run.hasReturned {
            guard let end = self.end(of: run, deadline), now.uptime >= end.moment else { continue }
            fail(run.id, now: now)
            overdue += 1
            if run.cancelledAt == nil { actions.append(.cancel(run.id)) }
            actions.append(.end(run.id, run.use, end.outcome))
        }
        return actions + next(now: now)
    }

    /// When time is to be looked at next (uptime); nil: nothing depends on it.
    func nextMoment(deadline: Duration?) -> Int64? {
        (current.values.filter { !$0.hasReturned }.compactMap { end(of: $0, deadline)?.moment }
            + undoable.values.map(\.until)).min()
    }

    /// The list is served no more: every run is over.
    mutating func abandon() -> [Action] {
        defer {
            overdue += current.values.count { $0.activeAt != nil && !$0.hasReturned }
            current = [:]
            waiting = []
            undoable = [:]
        }
        return current.values.flatMap { run -> [Action] in
            let outcome = run.activeAt == nil ? RefreshOutcome.cancelled : .failure(.interrupted)
            return [.cancel(run.id), .end(run.id, run.use, outcome)]
        }
    }

    // MARK: Rules

    private mutating func next(now: Moment) -> [Action] {
        var actions: [Action] = []
        while busy < Self.mostAtOnce, let id = waiting.popFirst() {
            guard let use = current[id]?.use else { continue }
            current[id]?.activeAt = now.uptime
            actions.append(.begin(id, use))
        }
        return actions
    }

    /// Handlers at work. One that does not heed its end counts, too: else they could become any number.
    private var busy: Int { current.values.count { $0.activeAt != nil && !$0.hasReturned } + overdue }

    private func end(of run: Current, _ deadline: Duration?) -> (moment: Int64, outcome: RefreshOutcome)? {
        let patience = RefreshGate.Rules().patience
        if let cancelledAt = run.cancelledAt { return (cancelledAt + patience.milliseconds, .cancelled) }
        guard let activeAt = run.activeAt, let deadline else { return nil }
        return (activeAt + deadline.milliseconds, .timeout(after: deadline))
    }

    private mutating func forgetUndoable(now: Moment) {
        undoable = undoable.filter { $0.value.until > now.uptime }
    }
}
