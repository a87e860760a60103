import KeyedLists
import ListProtocol
import ListStorage

/// What servers ask of who leads a list, and what that one answers.
extension LiveList {
    // MARK: As the leader

    func decideAsLeader(
        _ request: RefreshGate.Request, _ key: IdempotencyKey?,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        let owed = key.flatMap { shared.lead.owed($0.bytes) }.flatMap { RefreshGate.Answer($0) }
        let (answer, all) = owed.map { ($0, []) } ?? gate.request(request, now: now)
        let actions = performEnds(all)
        oweRunNumbers()
        if let key { shared.lead.owe(answer.reference, for: key.bytes) }
        // The number of a run is kept before anybody is told of it.
        guard let store = store.shared, key != nil || kept?.owesFacts == true else { return then(answer, actions) }
        shareDecision(in: store) { [self] error in
            guard let error else {
                if let key { remember(answer, for: key) }
                return then(answer, actions)
            }
            guard !(error is LedElsewhere) else { return decide(request, key, in: store, then: then) }
            then(nil, [])
            performOnceKept(actions, in: store)
        }
    }

    /// Keeps what was decided; until then people are told nothing of it.
    ///
    /// - Parameter then: told `LedElsewhere` where it counts for nothing.
    func shareDecision(in store: any SharedListStore, then: @escaping ((any Error)?) -> Void) {
        shared.lead.unkept += 1
        shareFacts(in: store) { [self] error in
            then(error)
            shared.lead.unkept -= 1
            catchUp()
        }
    }

    /// What was held back is told.
    func catchUp() {
        guard shared.lead.isBehind, !shared.lead.holdsBack else { return }
        publishState()
    }

    /// Has actions wait until the number of the run that they begin is kept.
    ///
    /// - Returns: false where there is nothing to wait for.
    func performLater(_ actions: [RefreshGate.Action], in store: any SharedListStore) -> Bool {
        guard let kept, kept.facts.runs != gate.runs || !shared.lead.deferred.isEmpty else { return false }
        performOnceKept(actions, in: store)
        return true
    }

    /// Performs actions, and those that come meanwhile, once the number of the run that they begin is kept, however long that takes.
    private func performOnceKept(_ all: [RefreshGate.Action], in store: any SharedListStore) {
        let actions = shared.lead.deferred.isEmpty ? performEnds(all) : all
        guard !actions.isEmpty, !hasEnded else { return }
        let isFirst = shared.lead.deferred.isEmpty
        shared.lead.deferred += actions
        if isFirst { keepDeferred(in: store) }
    }

    /// A page that ends for a refresh is over before that begins, and is kept with it.
    ///
    /// - Returns: what is to be done besides.
    private func performEnds(_ actions: [RefreshGate.Action]) -> [RefreshGate.Action] {
        let ends = actions.prefix { action in
            switch action {
            case .cancel, .end: true
            case .start, .publish, .wake: false
            }
        }
        guard actions.contains(where: { if case .start = $0 { true } else { false } }) else { return actions }
        performNow(Array(ends))
        return Array(actions[ends.endIndex...])
    }

    private func keepDeferred(in store: any SharedListStore) {
        guard decides, !shared.lead.deferred.isEmpty else { return }
        oweRunNumbers()
        let fence = shared.lead.fence
        shareDecision(in: store) { [self] error in
            // What was deferred since is of another lead.
            guard shared.lead.fence == fence else { return }
            guard error == nil || error is LedElsewhere || hasEnded else {
                shared.lead.unkept += 1
                return afterPause { list in
                    list.shared.lead.unkept -= 1
                    list.keepDeferred(in: store)
                }
            }
            let actions = shared.lead.deferred
            shared.lead.deferred = []
            if error == nil, !hasEnded { performNow(actions) }
        }
    }

    /// The database is away: it is tried again some time later.
    func afterPause(_ body: @escaping @Sendable (isolated LiveList) -> Void) {
        executor.schedule(at: now.uptime + 500) { [weak self] in self?.assumeIsolated { body($0) } }
    }

    func oweRunNumbers() {
        guard var facts = kept?.facts, facts.runs != gate.runs else { return }
        facts.runs = gate.runs
        kept?.owe(facts)
    }

    /// An answer is kept: it is told from now on.
    func remember(_ answer: RefreshGate.Answer, for key: IdempotencyKey) {
        remembered.remember(answer, for: key, now)
        scheduleForgetting()
    }

    /// What other servers ask.
    func answerOthers(_ requests: [StoredAgreement.Request], in store: any SharedListStore) {
        guard !isDraining else { return }
        for request in requests where shared.lead.answering.insert(request.key).inserted {
            guard let (wish, node) = SharedWish.read(request.request) else { continue }
            let own = shared.asks.sent.removeValue(forKey: request.key)
            // Somebody has sent it again, to here, and its answer is being kept.
            if own == nil, let key = IdempotencyKey(request.key), shared.asks.deciding[key] != nil {
                shared.lead.answering.remove(request.key)
                continue
            }
            let requester = own.map(\.requester) ?? .node(node)
            answer(wish, request.key, of: requester, own, in: store)
        }
    }

    /// Answers a wish, of another server or of somebody here who had sent it to the former leader.
    ///
    /// - Parameter key: of the request; where it is an `IdempotencyKey`, it is answered alike if it comes again.
    func answer(
        _ wish: SharedWish, _ key: [UInt8], of requester: RefreshGate.Requester?, _ own: SharedAsk?,
        in store: any SharedListStore
    ) {
        let repeatable = own == nil ? IdempotencyKey(key) : own?.idempotencyKey
        let (reference, perform) =
            shared.lead.owed(key).map { ($0, { _ in }) } ?? decide(wish, repeatable, of: requester, in: store)
        shared.lead.owe(reference, for: key)
        if own == nil, let repeatable { shared.asks.deciding[repeatable] = [] }
        shareDecision(in: store) { [self] error in
            shared.lead.answering.remove(key)
            var answer: RefreshGate.Answer?
            if error == nil, case .refresh = wish { answer = RefreshGate.Answer(reference) }
            if let repeatable, let answer { remember(answer, for: repeatable) }
            if own == nil, let repeatable {
                for other in shared.asks.deciding.removeValue(forKey: repeatable) ?? [] { other(answer) }
            }
            // What was asked for does not begin now.
            if error != nil, case .act = wish { shared.lead.answers[key] = nil }
            if error is LedElsewhere {
                if let own { send(own, in: store) }
            } else {
                own?.then(error == nil ? reference : nil)
                perform(error)
            }
        }
    }

    private func decide(
        _ wish: SharedWish, _ key: IdempotencyKey?, of requester: RefreshGate.Requester?, in store: any SharedListStore
    ) -> (RunReference, perform: ((any Error)?) -> Void) {
        if case .act(let request, let session) = wish {
            guard let key else { return (.noRun(.spent), { _ in }) }
            return actForOthers(request, key: key, by: session)
        }
        let (reference, all) = decideOnRun(wish, key, of: requester)
        let actions = performEnds(all)
        oweRunNumbers()
        return (reference, { [self] error in error == nil ? perform(actions) : performOnceKept(actions, in: store) })
    }

    private func decideOnRun(
        _ wish: SharedWish, _ key: IdempotencyKey?, of requester: RefreshGate.Requester?
    ) -> (RunReference, [RefreshGate.Action]) {
        switch wish {
        case .refresh(let cause, let isAfter):
            if let key, let answer = remembered[key, now] { return (answer.reference, []) }
            let request = RefreshGate.Request(requester: requester, cause: cause, isAfter: isAfter)
            let (answer, actions) = gate.request(request, now: now)
            return (answer.reference, actions)
        case .more(let key): return page(after: key, by: requester ?? .program)
        case .stop(let run): return (.noRun(.spent), gate.stop(run, by: requester ?? .program, now: now))
        case .stopAction(let run, let session):
            stopAction(run, by: session)
            return (.noRun(.spent), [])
        case .mark(let mark):
            apply(mark)
            return (.noRun(.spent), [])
        case .act: return (.noRun(.spent), [])
        }
    }

    /// How much others are interested: who is gone, or does not wait any more, has withdrawn.
    func heed(_ interest: [String: StoredAgreement.Interest]) {
        let before = shared.lead.watchersElsewhere
        shared.lead.watchersElsewhere = interest.values.reduce(0) { $0 + $1.watchers }
        var actions = gate.watchers(watcherCount, now: now)
        for (node, interest) in interest where interest.isWanted { gate.join(.node(node)) }
        for case .node(let node) in gate.current?.requesters ?? [] where interest[node]?.isWanted != true {
            actions += gate.withdraw(.node(node), now: now)
        }
        perform(actions)
        // For somebody who came, as here.
        guard shared.lead.watchersElsewhere > before else { return }
        follow()
        loadInitially()
    }

    // MARK: As one who follows

    func send(_ ask: SharedAsk, in store: any SharedListStore) {
        guard isLedElsewhere || !mayLead else {
            shared.asks.unsent.append(ask)
            return leadIfNobodyDoes()
        }
        shared.asks.sent[ask.key] = ask
        if !mayLead { giveUpUnlessLed(ask.key) }
        noteInterest()
        shared.asks.outgoing.append(.init(key: ask.key, request: ask.wish.words(from: store.node)))
        sendOutgoing(in: store)
    }

    /// How long is waited for a server that may lead the list, in milliseconds: longer than a dead one counts as there.
    private static let patience: Int64 = 8000

    /// Nobody waits for ever where this server may not lead the list and nobody else does.
    private func giveUpUnlessLed(_ key: [UInt8]) {
        executor.schedule(at: now.uptime + Self.patience) { [weak self] in
            self?.assumeIsolated { list in
                guard list.shared.asks.sent[key] != nil else { return }
                if list.isLedElsewhere { return list.giveUpUnlessLed(key) }
                list.shared.asks.sent.removeValue(forKey: key)?.then(nil)
            }
        }
    }

    /// What is asked while others are on their way is sent together after them; and what is asked while the list is being read, after
    /// that: it may be answered before, and the answer would be left out of what is read, but not the run that it has begun.
    func sendOutgoing(in store: any SharedListStore) {
        guard !shared.asks.isSending, !shared.asks.outgoing.isEmpty, !shared.isReading else { return }
        let requests = shared.asks.outgoing
        shared.asks.outgoing = []
        shared.asks.isSending = true
        store.ask(requests, of: name, watchers: broadcaster.count) { result in
            self.post { $0.sent(requests, result, in: store) }
        }
    }

    /// What was sent to the leader may be lost with a database, or with what that had not written when it was killed.
    func sendAgain() {
        guard let store = store.shared, shared.lead.fence == nil else { return }
        shared.asks.outgoing = shared.asks.sent.values.map {
            .init(key: $0.key, request: $0.wish.words(from: store.node))
        }
        sendOutgoing(in: store)
    }

    private func sent(
        _ requests: [StoredAgreement.Request], _ result: Result<AskOutcome, ListStoreError>,
        in store: any SharedListStore
    ) {
        switch result {
        // The leader's answers come with its notice.
        case .success(.asked): break
        case .success(.askedBefore): readShared()
        case .failure: for request in requests { shared.asks.sent.removeValue(forKey: request.key)?.then(nil) }
        }
        executor.schedule(at: now.uptime + SharedWork.pause(after: requests.count)) { [weak self] in
            self?.assumeIsolated { list in
                list.shared.asks.isSending = false
                list.sendOutgoing(in: store)
            }
        }
    }

    func take(_ answers: [[UInt8]: [UInt8]]) {
        for (key, words) in answers {
            guard let ask = shared.asks.sent.removeValue(forKey: key) else {
                remember(words, for: key)
                continue
            }
            let reference = RunReference(words: words)
            if case .run = reference, let requester = ask.requester { shared.asks.requesters.insert(requester) }
            if let key = ask.idempotencyKey, let answer = reference.flatMap({ RefreshGate.Answer($0) }) {
                remember(answer, for: key)
            }
            ask.then(reference)
        }
    }

    /// What another server has answered.
    private func remember(_ words: [UInt8], for key: [UInt8]) {
        guard let key = IdempotencyKey(key) else { return }
        if let answer = RunReference(words: words).flatMap({ RefreshGate.Answer($0) }) {
            if remembered[key, now] == nil { remembered.remember(answer, for: key, now) }
        } else {
            rememberedPushes.remember(words, for: key, now)
        }
        scheduleForgetting()
    }

    /// Shows what the leader does.
    func show(_ words: [UInt8]?) {
        guard let told = SharedState(words: words), let state = told.state else { return }
        last = state.last
        if let last, last.cause == nil { lastRefresh = RunID(last.run) }
        if last != nil { hasLoaded = true }
        isExhausted = !state.hasMore
        let run = state.run.flatMap { RunID($0) }
        switch state.phase {
        case .loading:
            guard let run, let cause = state.cause.flatMap({ RefreshCause(rawValue: $0.rawValue) }) else { break }
            perform(gate.follow(run, cause, startedAt: state.startedAt ?? now.date, now: now))
            if let progress = told.progress { broadcaster.publish(progress, of: run) }
        case .closing, .waiting, .primed: perform(gate.followEnd(now: now))
        }
        if gate.current == nil, !shared.asks.requesters.isEmpty {
            shared.asks.requesters = []
            noteInterest()
        }
    }

    /// Those who wait for a run that another server has ended.
    func tellWaiters() {
        guard let last, let over = RunID(last.run) else { return }
        for (run, waiting) in waiters where run.number <= over.number && gate.current?.run != run {
            waiters[run] = nil
            let finished = run == over ? FinishedRun(last, cause: .refresh) : nil
            for waiter in waiting { waiter.tell(finished) }
        }
    }
}
