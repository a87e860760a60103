import KeyedLists
import ListStorage
import Locking
import Logging
import WebSockets

/// Requests for runs, and their answers.
extension LiveList {

    /// Requests a run, and returns at once which run serves the request.
    ///
    /// - Parameter isNew: whether no other server can have answered the key.
    func refresh(
        _ request: RefreshGate.Request, key: IdempotencyKey? = nil, isNew: Bool = false, pending: RequestID,
        to feed: LoopFeed
    ) {
        guard !hasEnded else { return feed.deliver(.answered(pending, .unavailable)) }
        do { try load() } catch {
            logUnreadable(error)
            return feed.deliver(.answered(pending, .unavailable))
        }
        decide(request, key: key, isNew: isNew) { [self] answer, actions in
            feed.deliver(.answered(pending, answer ?? .unavailable))
            perform(actions)
        }
    }

    /// Somebody asks again what a gesture was answered. Where servers share the list and none has answered it, it is asked anew: the
    /// answer may have been lost with a database.
    func recall(
        _ request: RefreshGate.Request, key: IdempotencyKey, pending: RequestID, to feed: LoopFeed
    ) {
        guard store.shared != nil, remembered[key, now] == nil else {
            return feed.deliver(.answered(pending, remembered[key, now]))
        }
        guard shared.asks.deciding[key] == nil else {
            shared.asks.deciding[key]?.append { feed.deliver(.answered(pending, $0 ?? .unavailable)) }
            return
        }
        refresh(request, key: key, pending: pending, to: feed)
    }

    /// Somebody wants a run and waits for its end.
    ///
    /// - Parameters:
    ///   - whenStarted: told at once; nil where the list can't be read. What is not a run is all that is told.
    ///   - whenOver: nil where the run's outcome is forgotten, or the server has ended.
    func refresh(
        _ request: RefreshGate.Request, key: IdempotencyKey? = nil,
        whenStarted: @escaping (RefreshGate.Answer?) -> Void,
        whenOver: @escaping @Sendable (FinishedRun?) -> Void
    ) {
        guard !hasEnded else { return whenStarted(nil) }
        do { try load() } catch {
            logUnreadable(error)
            return whenStarted(nil)
        }
        decide(request, key: key) { [self] answer, actions in
            started(request, answer ?? .unavailable, actions, whenStarted: whenStarted, whenOver: whenOver)
        }
    }

    private func started(
        _ request: RefreshGate.Request, _ answer: RefreshGate.Answer, _ actions: [RefreshGate.Action],
        whenStarted: (RefreshGate.Answer?) -> Void, whenOver: @escaping @Sendable (FinishedRun?) -> Void
    ) {
        whenStarted(answer)
        guard case .run(let run, _) = answer else { return }
        if !actions.isEmpty || gate.current?.run == run || gate.current?.trailing?.run == run || !decides {
            waiters[run, default: []].append(RunWaiter(by: request.requester ?? .program, tell: whenOver))
        } else {
            whenOver(remembered[run])
        }
        perform(actions)
        if !decides { tellWaiters() }
    }

    /// A client that waited for a run has left. A pending run that nobody else requested is dropped.
    func withdraw(waiting requester: RefreshGate.Requester) {
        if decides { perform(gate.withdraw(requester, now: now)) } else { leave(requester) }
        let expected = [gate.current?.run, gate.current?.trailing?.run]
        waiters = waiters.compactMapValues { waiters in
            let others = waiters.filter { $0.requester != requester }
            return others.isEmpty ? nil : others
        }.filter { expected.contains($0.key) }
    }

    /// A person withdraws from all that they asked for.
    func withdraw(_ session: String) {
        if decides { perform(gate.withdraw(.session(session), now: now)) } else { leave(.session(session)) }
    }

    /// A person wants a run to end.
    func stop(_ run: RunID, by session: String) {
        if decides {
            perform(gate.stop(run, by: .session(session), now: now))
        } else {
            leave(.session(session), from: run)
        }
    }

    /// The list itself, or its program, wants a run.
    func request(_ request: RefreshGate.Request, then: @escaping () -> Void = {}) {
        decide(request) { [self] _, actions in
            perform(actions)
            then()
        }
    }

    /// Decides alone.
    func answer(
        _ request: RefreshGate.Request, key: IdempotencyKey?
    ) -> (RefreshGate.Answer, [RefreshGate.Action]) {
        if let key, let answer = remembered[key, now] { return (answer, []) }
        let (answer, actions) = gate.request(request, now: now)
        keepRunNumbers()
        defer { publishFigures() }
        if let key {
            remembered.remember(answer, for: key, now)
            scheduleForgetting()
        }
        return (answer, actions)
    }

    /// Remembered responses are dropped in time, even without new requests.
    func scheduleForgetting() {
        guard !isForgettingScheduled,
            let moment = [remembered.nextExpiry, rememberedPushes.nextExpiry].compactMap(\.self).min()
        else { return }
        isForgettingScheduled = true
        executor.schedule(at: moment) { [weak self] in
            self?.assumeIsolated { list in
                list.isForgettingScheduled = false
                list.remembered.dropExpired(list.now)
                list.rememberedPushes.dropExpired(list.now)
                list.scheduleForgetting()
            }
        }
    }

    func perform(_ actions: [RefreshGate.Action]) {
        guard !hasEnded, !actions.isEmpty else { return }
        if let store = store.shared, decides {
            guard !performLater(actions, in: store) else { return }
        } else if decides {
            keepRunNumbers()
        }
        performNow(actions)
    }

    func performNow(_ actions: [RefreshGate.Action]) {
        for action in actions {
            switch action {
            case .publish: publish()
            case .start(let run, let cause): start(run, cause)
            case .cancel(let run): if work?.id == run { work?.cancel?() }
            case .end(let run, let outcome): conclude(run, outcome)
            case .wake(let uptime): wake(at: uptime)
            }
        }
    }

    private func wake(at uptime: Int64) {
        if let scheduledWake, scheduledWake <= uptime, scheduledWake > now.uptime { return }
        scheduledWake = uptime
        executor.schedule(at: uptime) { [weak self] in self?.assumeIsolated { $0.wakeUp(uptime) } }
    }

    private func wakeUp(_ uptime: Int64) {
        if scheduledWake == uptime { scheduledWake = nil }
        perform(gate.due(now: now))
    }

    /// The server ends: the handler is asked to stop, and what it gives from now on is not kept. Nobody waits any longer.
    ///
    /// - Parameter reason: why it could not serve; nil: it was told to stop.
    func end(because reason: String? = nil) {
        guard !hasEnded else { return }
        endReason = reason
        work?.cancel?()
        work = nil
        endActions()
        hasEnded = true
        following?.cancel()
        for waiter in waiters.values.joined() { waiter.tell(nil) }
        waiters = [:]
        transitions.end()
        finishedRuns.end()
        publishFigures()
        queue.isHeld = false
        makeChanges()
        refuseAttaching()
        endSharing()
    }
}

/// A caller that waits for a run to end.
struct RunWaiter: Sendable {
    let requester: RefreshGate.Requester
    /// Nil: the run publishes nothing more.
    let tell: @Sendable (FinishedRun?) -> Void

    init(by requester: RefreshGate.Requester, tell: @escaping @Sendable (FinishedRun?) -> Void) {
        self.requester = requester
        self.tell = tell
    }
}

/// Refreshing the list from code.
extension LiveList {
    /// Refreshes this list from code; nil if the list has no handler.
    public nonisolated var refresh: RefreshAction? { isRefreshable ? RefreshAction(self) : nil }

    /// A call wants a run, and to know how it ends.
    func ask(_ call: RefreshCall, isAfter: Bool) {
        guard !call.isOver else { return }
        guard !hasEnded else { return call.end(.cancelled) }
        refresh(.init(requester: call.requester, cause: .code, isAfter: isAfter)) { answer in
            switch answer {
            case .run, .tooSoon, .spent: break
            case .unavailable: call.end(.failure(.unreadable))
            case .refused(let reason): call.end(.failure(RefreshFailure(reason, code: "refused")))
            case nil:
                call.end(.failure(RefreshFailure("The list cannot be read at the moment.", code: "unavailable")))
            }
        } whenOver: { run in
            call.end(run?.outcome ?? .cancelled)
        }
    }

    /// A call no longer waits. A run that was to come for it alone does not come.
    func withdraw(_ call: RefreshCall) { withdraw(waiting: call.requester) }

    /// Code ends the run under way. Its handler counts as overdue until it has heeded that.
    func finish() {
        guard let work, let current = gate.current, current.run == work.id, current.cancelledAt == nil else { return }
        let cancel = work.cancel
        commit(by: work.id) { [self] in
            guard let current = self.work, current.id == work.id else { return nil }
            guard !current.rows.isEmpty else { return RowsChange(weight: 0) { _ in nil } }
            return .rows(current.rows, sparing: current.crossed, of: kept?.rows.count ?? 0, at: now)
        } then: { [self] result in
            let outcome = result.error.map { RefreshOutcome.failure(explain($0)) } ?? .success
            perform(gate.finished(work.id, outcome, now: now))
            cancel?()
        }
    }
}

/// One call of a `LiveList.RefreshAction`: a task that waits for a run to end.
final class RefreshCall: Sendable {
    private enum State {
        case asking
        case waiting(CheckedContinuation<RefreshOutcome, Never>)
        case over(RefreshOutcome)
    }

    private let state = Locked(State.asking)

    /// Whether there is nothing to wait for any more.
    var isOver: Bool {
        state.withLock { state in
            if case .over = state { true } else { false }
        }
    }

    /// Its final result. To be taken once.
    var outcome: RefreshOutcome {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> RefreshOutcome? in
                    if case .over(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    /// Tells the outcome. The first one counts.
    func end(_ outcome: RefreshOutcome) {
        let waiting = state.withLock { state -> CheckedContinuation<RefreshOutcome, Never>? in
            switch state {
            case .over: return nil
            case .asking:
                state = .over(outcome)
                return nil
            case .waiting(let continuation):
                state = .over(outcome)
                return continuation
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// How the gate identifies this call.
    var requester: RefreshGate.Requester { .call(ObjectIdentifier(self)) }
}
