import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// A list that several servers have: one of them leads it, and so runs its handler; the others ask that one, and show what it
/// does.
///
///     leads ──── its gate decides, its state and its answers are kept with the next transaction
///     follows ── asks who leads, and waits for the answer
///     nobody ─── whoever has a wish takes the lead
///
/// The leader's changes carry its fence. Where another took over, they are outdated, and it follows from then on.
extension LiveList {
    /// Whether this server decides on runs: it leads the list, or is the only one.
    var decides: Bool { store.shared == nil || shared.lead.fence != nil }

    /// Decides on a request for a run, here or by the server that leads.
    ///
    /// - Parameters:
    ///   - isNew: whether no other server can have answered the key.
    ///   - then: told once the answer is kept, with what is to be done then; nil: the store can't be reached.
    func decide(
        _ request: RefreshGate.Request, key: IdempotencyKey? = nil, isNew: Bool = false,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        if let key, let answer = remembered[key, now] { return then(answer, []) }
        guard let store = store.shared else {
            let (answer, actions) = answer(request, key: key)
            return then(answer, actions)
        }
        guard store.fault == nil else { return then(nil, []) }
        guard let key else { return decide(request, nil, in: store, then: then) }
        // Asked again before it is answered, it gets the same answer.
        guard shared.asks.deciding[key] == nil else {
            shared.asks.deciding[key]?.append { then($0, []) }
            return
        }
        shared.asks.deciding[key] = []
        let conclude = { [self] (answer: RefreshGate.Answer?, actions: [RefreshGate.Action]) in
            let others = shared.asks.deciding.removeValue(forKey: key) ?? []
            then(answer, actions)
            for other in others { other(answer) }
        }
        guard !isNew else { return decide(request, key, in: store, then: conclude) }
        // Another server may have answered it.
        recall(key.bytes, in: store) { [self] isKnown in
            guard isKnown else { return conclude(nil, []) }
            if let answer = remembered[key, now] { return conclude(answer, []) }
            decide(request, key, in: store, then: conclude)
        }
    }

    func decide(
        _ request: RefreshGate.Request, _ key: IdempotencyKey?, in store: any SharedListStore,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        if shared.lead.fence != nil { return decideAsLeader(request, key, then: then) }
        let ask = SharedAsk(wish: .refresh(request.cause, isAfter: request.isAfter), key: key, of: request.requester) {
            then($0.flatMap { RefreshGate.Answer($0) }, [])
        }
        send(ask, in: store)
    }

    /// Asks whether a request with this key was answered before, at any server; what was is remembered then.
    ///
    /// - Parameter then: told whether that is known now.
    func recall(_ key: [UInt8], in store: any SharedListStore, then: @escaping (_ isKnown: Bool) -> Void) {
        guard store.fault == nil else { return then(false) }
        do { try load() } catch { return then(false) }
        shared.asks.recalls[key, default: []].append(then)
        shared.isReadDue = true
        continueSharing(in: store)
    }

    /// A gesture is spent. Unless another server has answered it otherwise, all of them say so from now on.
    func answerSpent(_ key: IdempotencyKey, pending: RequestID, to feed: LoopFeed) {
        guard !hasEnded, let store = store.shared, store.fault == nil else {
            return feed.deliver(.answered(pending, .unavailable))
        }
        recall(key.bytes, in: store) { [self] isKnown in
            guard isKnown else { return feed.deliver(.answered(pending, .unavailable)) }
            if let known = remembered[key, now] { return feed.deliver(.answered(pending, known)) }
            shared.lead.owe(.noRun(.spent), for: key.bytes)
            shareFacts(in: store) { [self] error in
                if error == nil { remember(.spent, for: key) } else { shared.lead.answers[key.bytes] = nil }
                feed.deliver(.answered(pending, error == nil ? .spent : .unavailable))
            }
        }
    }

    /// Wants something that only who leads decides, and that is no refresh.
    func ask(
        _ wish: SharedWish, key: IdempotencyKey? = nil, of requester: RefreshGate.Requester?,
        then: @escaping (RunReference?) -> Void
    ) {
        guard let store = store.shared, store.fault == nil else { return then(nil) }
        send(SharedAsk(wish: wish, key: key, of: requester, then: then), in: store)
    }

    /// Somebody here does not wait any more.
    ///
    /// - Parameter run: for this one; nil: for any.
    func leave(_ requester: RefreshGate.Requester, from run: RunID? = nil) {
        guard run == nil || run == gate.current?.run, shared.asks.requesters.remove(requester) != nil else {
            if let run { ask(.stop(run), of: nil) { _ in } }
            return
        }
        noteInterest()
    }

    /// Whether there is something that one server does for all.
    private var needsLeader: Bool {
        isRefreshable || !description.actions.isEmpty || description.tracksUnread || isSubscribed
    }

    /// Whether this server may be the one.
    var mayLead: Bool { description.leaders != .otherServers }

    /// A server that was chosen to run the list reads it though nobody watches here: others may.
    func readIfChosen() {
        guard let store = store.shared, store.fault == nil, description.leaders == .thisServer, !hasEnded else {
            return
        }
        do { try load() } catch { return logUnreadable(error) }
        readShared()
    }

    /// The lead is wanted: of a list that nobody leads, or whose leader is gone.
    func leadIfNobodyDoes() {
        guard let store = store.shared, needsLeader, mayLead, !isDraining else { return }
        guard shared.lead.fence == nil, shared.lead.givenFence == nil, !isLedElsewhere else { return }
        // One wish is enough.
        if case .leading? = shared.current { return }
        shared.lead.isDue = true
        continueSharing(in: store)
    }

    /// Calls back once a server leads the list, if one can: what people are told first is then what it does.
    func whenLeadIsSettled(_ body: @escaping () -> Void) {
        guard let store = store.shared, store.fault == nil, !decides, !isDraining, needsLeader else { return body() }
        guard !shared.lead.isAgreed || !isLedElsewhere && mayLead else { return body() }
        shared.lead.waiters.append(body)
        if shared.lead.isAgreed { leadIfNobodyDoes() } else { readShared() }
    }

    /// Those who wait to hear who leads hear it, where it is known or can't be.
    func tellLeadWaiters() {
        let waiters = shared.lead.waiters
        shared.lead.waiters = []
        for waiter in waiters { whenLeadIsSettled(waiter) }
    }

    /// This server is about to stop: another takes the lead.
    func resign() {
        guard shared.lead.fence != nil else { return }
        // Once the outcome of the last run is kept.
        shared.whenIdle.append { [self] in
            counts.leadChanges[.resigned, default: 0] += shared.lead.fence == nil ? 0 : 1
            follow(nil)
            store.shared?.resign(from: name)
        }
        tellWhenIdle()
    }

    /// Tells the store how much this server is interested.
    func noteInterest() {
        guard let store = store.shared else { return }
        let isWanted = !shared.asks.requesters.isEmpty || !shared.asks.sent.isEmpty
        let interest = StoredAgreement.Interest(watchers: broadcaster.count, isWanted: isWanted)
        guard interest != shared.asks.interest else { return }
        // That a run is not wanted any more, or that somebody came, counts at once.
        let isUrgent =
            interest.isWanted != shared.asks.interest.isWanted
            || (interest.watchers > 0) != (shared.asks.interest.watchers > 0)
        shared.asks.interest = interest
        store.note(interest, in: name, atOnce: isUrgent && (isLedElsewhere || !mayLead))
    }

    var isLedElsewhere: Bool {
        shared.lead.fence == nil && shared.lead.agreement.isLed && shared.lead.agreement.leader != store.shared?.node
    }

    // MARK: Who leads

    /// Whether this server leads still, by what was read: whatever it has decided counts only then.
    func leads(by agreement: StoredAgreement) -> Bool {
        agreement.leader == store.shared?.node && agreement.fence == shared.lead.fence
    }

    /// What servers agree on was read.
    func take(_ agreement: StoredAgreement) {
        guard let store = store.shared else { return }
        shared.lead.agreement = agreement
        shared.lead.isAgreed = true
        let leads = leads(by: agreement)
        if shared.lead.fence != nil, !leads {
            logger.notice("Another server leads this list now.", metadata: ["leader": "\(agreement.leader ?? "none")"])
            counts.leadChanges[.lost, default: 0] += 1
            follow(agreement.state)
        } else if leads {
            take(agreement.answers)
            answerOthers(agreement.requests, in: store)
            heed(agreement.interest)
        } else {
            take(agreement.answers)
            show(agreement.state)
        }
        if isLedElsewhere {
            for ask in shared.asks.takeUnsent() { send(ask, in: store) }
        } else if !leads, !shared.asks.isEmpty || watcherCount > 0 || isWantedByOthers {
            leadIfNobodyDoes()
        }
    }

    /// Whether servers that may not lead the list want somebody to.
    private var isWantedByOthers: Bool {
        let agreement = shared.lead.agreement
        return description.leaders == .thisServer
            && (!agreement.requests.isEmpty || agreement.interest.values.contains { $0.watchers > 0 || $0.isWanted })
    }

    /// This server has the lead, or has not got it.
    func led(_ result: Result<Int?, ListStoreError>, in store: any SharedListStore) {
        shared.current = nil
        switch result {
        case .success(let fence):
            shared.lead.givenFence = fence
            shared.isReadDue = true
        case .failure:
            for ask in shared.asks.takeUnsent() { ask.then(nil) }
            let waiters = shared.lead.waiters
            shared.lead.waiters = []
            for waiter in waiters { waiter() }
        }
        guard !hasEnded else { return endSharing() }
        continueSharing(in: store)
    }

    /// The list was read since this server was given the lead: whatever the leader before had kept is known, and no more will be.
    func leadIfGiven() {
        guard let store = store.shared, let fence = shared.lead.givenFence else { return }
        shared.lead.givenFence = nil
        let agreement = shared.lead.agreement
        if agreement.leader == store.node, agreement.fence == fence { lead(fence, in: store) }
    }

    private func lead(_ fence: Int, in store: any SharedListStore) {
        guard let kept else { return }
        shared.lead.fence = fence
        counts.leadChanges[.taken, default: 0] += 1
        let state = SharedState(words: shared.lead.agreement.state)?.state
        gate = RefreshGate(
            rules: description.gateRules, runs: kept.facts.runs,
            age: kept.facts.updatedAt.map { .milliseconds(max(0, now.date - $0)) }, now: now)
        if isDraining { gate.drain() }
        shared.asks.requesters = []
        shared.lead.knowsUnread = false
        if let state, state.phase == .loading { endOrphan(state) }
        publishState()
        beginCounting()
        shareFacts(in: store)
        for ask in shared.asks.takeUnsent() { answer(ask.wish, ask.key, of: ask.requester, ask, in: store) }
        // A list begins anew with each leader: what its source told meanwhile nobody has heard.
        hasLoaded = false
        // What was asked of the former leader is in the store, and what it did to rows.
        shared.isReadDue = true
        shared.isWholeDue = !description.actions.isEmpty
        if watcherCount > 0, shared.lead.waiters.isEmpty {
            follow()
            loadInitially()
        }
        tellLeadWaiters()
    }

    /// The server that ran the list is gone, and its run with it.
    func endOrphan(_ state: ListState) {
        guard let run = state.run.flatMap({ RunID($0) }), var facts = kept?.facts else { return }
        let failure = RefreshFailure(
            "The server that refreshed the list is gone. What it had sent is there.", code: "interrupted")
        let ended = FinishedRun(
            id: run, cause: state.cause.flatMap { RefreshCause(rawValue: $0.rawValue) } ?? .refresh,
            outcome: .failure(failure), duration: .milliseconds(max(0, now.date - (state.startedAt ?? now.date))),
            changes: ChangeCounts())
        last = LastRun(ended)
        if ended.cause != .more { lastRefresh = run }
        remembered.remember(ended)
        log(ended, detail: nil)
        facts.staleSince = facts.staleSince ?? now.date
        facts.lastRun = last?.encoded()
        kept?.owe(facts)
        keepEnd(ofOrphan: ended)
    }

    /// Another leads from now on. What the handler gives is not the list's.
    func follow(_ words: [UInt8]?) {
        shared.lead.fence = nil
        forgetUnread()
        endCounting()
        shared.lead.answers = [:]
        shared.lead.deferred = []
        if let cancel = work?.cancel {
            overdueHandlers += 1
            cancel()
        }
        work = nil
        endActions()
        following?.cancel()
        following = nil
        gate = RefreshGate(
            rules: description.gateRules, runs: max(gate.runs, kept?.facts.runs ?? 0), leads: false, now: now)
        show(words)
        publishState()
    }
}
