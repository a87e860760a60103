import Logging

/// Who asks for runs, and what they are told.
extension LiveList {

    /// Somebody wants a run, and hears at once which one serves them.
    func refresh(_ request: RefreshGate.Request, key: RequestKey? = nil, ticket: RequestTicket, to relay: Relay) {
        guard !hasEnded else { return relay.deliver(.answered(ticket, nil)) }
        let answer = answer(request, key: key)
        relay.deliver(.answered(ticket, answer.0))
        perform(answer.1)
    }

    /// Somebody asks again what a gesture was answered.
    func recall(_ key: RequestKey, ticket: RequestTicket, to relay: Relay) {
        relay.deliver(.answered(ticket, remembered[key, now]))
    }

    /// A program wants a run and waits for its end. Nil where the list refused.
    func refresh(
        by requester: RefreshGate.Requester = .program, key: RequestKey? = nil, cause: RefreshCause = .code,
        isAfter: Bool = false,
        whenStarted: @Sendable (RefreshGate.Answer?) -> Void = { _ in },
        whenOver: @escaping @Sendable (FinishedRun?) -> Void
    ) {
        guard !hasEnded else { return whenStarted(nil) }
        do { try load() } catch {
            logger.error("Cannot read the list: \(error)")
            return whenStarted(nil)
        }
        let (answer, actions) = answer(.init(requester: requester, cause: cause, isAfter: isAfter), key: key)
        whenStarted(answer)
        guard case .run(let run, _) = answer else { return }
        if !actions.isEmpty || gate.current?.run == run || gate.current?.trailing?.run == run {
            waiters[run, default: []].append(whenOver)
        } else {
            whenOver(remembered[run])
        }
        perform(actions)
    }

    /// A person withdraws from all that they asked for.
    func withdraw(_ session: String) { perform(gate.withdraw(.session(session), now: now)) }

    /// A person wants a run to end.
    func stop(_ run: RunID, by session: String) { perform(gate.stop(run, by: .session(session), now: now)) }

    func request(_ request: RefreshGate.Request) -> RefreshGate.Answer {
        let (answer, actions) = answer(request, key: nil)
        perform(actions)
        return answer
    }

    private func answer(
        _ request: RefreshGate.Request, key: RequestKey?
    ) -> (RefreshGate.Answer, [RefreshGate.Action]) {
        if let key, let answer = remembered[key, now] { return (answer, []) }
        let (answer, actions) = gate.request(request, now: now)
        keepRunNumbers()
        if let key { remembered.remember(answer, for: key, now) }
        return (answer, actions)
    }

    func perform(_ actions: [RefreshGate.Action]) {
        guard !hasEnded else { return }
        if !actions.isEmpty { keepRunNumbers() }
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
        thread.schedule(at: uptime) { [weak self] in self?.assumeIsolated { $0.wakeUp(uptime) } }
    }

    private func wakeUp(_ uptime: Int64) {
        if scheduledWake == uptime { scheduledWake = nil }
        perform(gate.due(now: now))
    }

    /// The server ends: the handler is asked to stop, and what it gives from now on is not kept. Nobody waits any longer.
    func end() {
        work?.cancel?()
        work = nil
        hasEnded = true
        following?.cancel()
        for waiter in waiters.values.joined() { waiter(nil) }
        waiters = [:]
        transitions.end()
        finishedRuns.end()
    }
}
