import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// A list that several servers have: one of them leads it, and so runs its handler; the others ask that one, and show what it
/// does.
///
///     leads ──── its gate decides, its state and its answers are kept with the next transaction
///     follows ── joins what is under way; asks for anything else, and waits for the answer
///     nobody ─── whoever has a wish takes the lead
///
/// The leader's changes carry its fence. Where another took over, they are outdated, and it follows from then on.
extension LiveList {
    /// Whether this server decides on runs: it leads the list, or is the only one.
    var decides: Bool { store.shared == nil || shared.fence != nil }

    /// Decides on a request for a run, here or by the server that leads.
    ///
    /// - Parameter then: told once the answer is kept, with what is to be done then; nil: the store can't be reached.
    func decide(
        _ request: RefreshGate.Request, key: IdempotencyKey? = nil,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        if let key, let answer = remembered[key, now] { return then(answer, []) }
        guard let store = store.shared else {
            let (answer, actions) = answer(request, key: key)
            return then(answer, actions)
        }
        guard store.fault == nil else { return then(nil, []) }
        guard let key else { return decide(request, nil, in: store, then: then) }
        // Another server may have answered it.
        recall(key.bytes, in: store) { [self] in
            if let answer = remembered[key, now] { return then(answer, []) }
            decide(request, key, in: store, then: then)
        }
    }

    private func decide(
        _ request: RefreshGate.Request, _ key: IdempotencyKey?, in store: any SharedListStore,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        if shared.fence != nil { return decideAsLeader(request, key, then: then) }
        let ask = SharedAsk(wish: .refresh(request.cause, isAfter: request.isAfter), key: key, of: request.requester) {
            then($0.flatMap { RefreshGate.Answer($0) }, [])
        }
        if isLedElsewhere, let run = gate.joinable(request) { return join(run, ask, then: then) }
        send(ask, in: store)
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
        guard run == nil || run == gate.current?.run, shared.requesters.remove(requester) != nil else {
            if let run { ask(.stop(run), of: nil) { _ in } }
            return
        }
        noteInterest()
    }

    /// Whether there is something that one server does for all.
    private var needsLeader: Bool { isRefreshable || !description.actions.isEmpty }

    /// The lead is wanted: of a list that nobody leads, or whose leader is gone.
    func leadIfNobodyDoes() {
        guard let store = store.shared, shared.fence == nil, !isLedElsewhere, !isDraining, needsLeader else { return }
        // One wish is enough.
        if case .leading? = shared.current { return }
        shared.isLeadDue = true
        continueSharing(in: store)
    }

    /// Calls back once a server leads the list, if one can: what people are told first is then what it does.
    func whenLeadIsSettled(_ body: @escaping () -> Void) {
        guard let store = store.shared, store.fault == nil, !decides, !isDraining, needsLeader else { return body() }
        guard !shared.isAgreed || !isLedElsewhere else { return body() }
        shared.leadWaiters.append(body)
        if shared.isAgreed { leadIfNobodyDoes() } else { readShared() }
    }

    /// Those who wait to hear who leads hear it, where it is known or can't be.
    private func tellLeadWaiters() {
        let waiters = shared.leadWaiters
        shared.leadWaiters = []
        for waiter in waiters { whenLeadIsSettled(waiter) }
    }

    /// This server is about to stop: another takes the lead.
    func resign() {
        guard shared.fence != nil else { return }
        // Once the outcome of the last run is kept.
        shared.whenIdle.append { [self] in
            follow(nil)
            store.shared?.resign(from: name)
        }
        tellWhenIdle()
    }

    /// Tells the store how much this server is interested.
    func noteInterest() {
        guard let store = store.shared else { return }
        let isWanted = !shared.requesters.isEmpty || !shared.asked.isEmpty
        let interest = StoredAgreement.Interest(watchers: broadcaster.count, isWanted: isWanted)
        guard interest != shared.interest else { return }
        // That a run is not wanted any more, or that somebody came, counts at once.
        let isUrgent = interest.isWanted != shared.interest.isWanted || (interest.watchers > 0) != (shared.interest.watchers > 0)
        shared.interest = interest
        store.note(interest, in: name, atOnce: isUrgent && isLedElsewhere)
    }

    var isLedElsewhere: Bool {
        shared.fence == nil && shared.agreement.isLed && shared.agreement.leader != store.shared?.node
    }

    // MARK: As the leader

    private func decideAsLeader(
        _ request: RefreshGate.Request, _ key: IdempotencyKey?,
        then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        let (answer, actions) = gate.request(request, now: now)
        oweRunNumbers()
        if let key { remember(answer, for: key) }
        guard let store = store.shared, key != nil || !actions.isEmpty else { return then(answer, actions) }
        share(.facts { error in then(error == nil ? answer : nil, actions) }, in: store)
    }

    private func oweRunNumbers() {
        guard var facts = kept?.facts, facts.runs != gate.runs else { return }
        facts.runs = gate.runs
        kept?.owe(facts)
    }

    private func remember(_ answer: RefreshGate.Answer, for key: IdempotencyKey) {
        remembered.remember(answer, for: key, now)
        scheduleForgetting()
        shared.answers.append(.init(key: key.bytes, answer: answer.reference.words))
    }

    /// What other servers ask.
    private func answerOthers(_ requests: [StoredAgreement.Request], in store: any SharedListStore) {
        guard !isDraining else { return }
        for request in requests where shared.answering.insert(request.key).inserted {
            guard let (wish, node) = SharedWish.read(request.request) else { continue }
            let own = shared.asked.removeValue(forKey: request.key)
            let requester = own.map(\.requester) ?? .node(node)
            let (reference, perform) = decide(wish, IdempotencyKey(request.key), of: requester)
            shared.answers.append(.init(key: request.key, answer: reference.words))
            share(.facts { [self] error in
                shared.answering.remove(request.key)
                own?.then(error == nil ? reference : nil)
                perform(error)
            }, in: store)
        }
    }

    private func decide(
        _ wish: SharedWish, _ key: IdempotencyKey?, of requester: RefreshGate.Requester?
    ) -> (RunReference, perform: ((any Error)?) -> Void) {
        if case .act(let request, let session) = wish {
            guard let key else { return (.noRun(.spent), { _ in }) }
            return actForOthers(request, key: key, by: session)
        }
        let (reference, actions) = decideOnRun(wish, key, of: requester)
        oweRunNumbers()
        return (reference, { [self] _ in perform(actions) })
    }

    private func decideOnRun(
        _ wish: SharedWish, _ key: IdempotencyKey?, of requester: RefreshGate.Requester?
    ) -> (RunReference, [RefreshGate.Action]) {
        switch wish {
        case .refresh(let cause, let isAfter):
            if let key, let answer = remembered[key, now] { return (answer.reference, []) }
            let request = RefreshGate.Request(requester: requester, cause: cause, isAfter: isAfter)
            let (answer, actions) = gate.request(request, now: now)
            if let key { remembered.remember(answer, for: key, now) }
            return (answer.reference, actions)
        case .more(let key): return page(after: key, by: requester ?? .program)
        case .stop(let run): return (.noRun(.spent), gate.stop(run, by: requester ?? .program, now: now))
        case .stopAction(let run, let session):
            stopAction(run, by: session)
            return (.noRun(.spent), [])
        case .act: return (.noRun(.spent), [])
        }
    }

    /// How much others are interested: who is gone, or does not wait any more, has withdrawn.
    private func heed(_ interest: [String: StoredAgreement.Interest]) {
        let before = shared.watchersElsewhere
        shared.watchersElsewhere = interest.values.reduce(0) { $0 + $1.watchers }
        var actions = gate.watchers(watcherCount, now: now)
        for (node, interest) in interest where interest.isWanted { gate.join(.node(node)) }
        for case .node(let node) in gate.current?.requesters ?? [] where interest[node]?.isWanted != true {
            actions += gate.withdraw(.node(node), now: now)
        }
        perform(actions)
        // For somebody who came, as here.
        guard shared.watchersElsewhere > before else { return }
        follow()
        loadInitially()
    }

    // MARK: As one who follows

    private func join(
        _ run: RunID, _ ask: SharedAsk, then: @escaping (RefreshGate.Answer?, [RefreshGate.Action]) -> Void
    ) {
        let answer = RefreshGate.Answer.run(run, joined: true)
        if let requester = ask.requester { shared.requesters.insert(requester) }
        noteInterest()
        guard let key = ask.idempotencyKey, let store = store.shared else { return then(answer, []) }
        remember(answer, for: key)
        share(.facts { error in then(error == nil ? answer : nil, []) }, in: store)
    }

    private func send(_ ask: SharedAsk, in store: any SharedListStore) {
        guard isLedElsewhere else {
            shared.unasked.append(ask)
            return leadIfNobodyDoes()
        }
        shared.asked[ask.key] = ask
        noteInterest()
        let request = StoredAgreement.Request(key: ask.key, request: ask.wish.words(from: store.node))
        store.ask([request], of: name, watchers: broadcaster.count) { [key = ask.key] result in
            guard case .failure = result else { return self.post { $0.readShared() } }
            self.post { $0.shared.asked.removeValue(forKey: key)?.then(nil) }
        }
    }

    func take(_ answers: [[UInt8]: [UInt8]]) {
        for (key, words) in answers {
            guard let ask = shared.asked.removeValue(forKey: key) else {
                remember(words, for: key)
                continue
            }
            let reference = RunReference(words: words)
            if case .run = reference, let requester = ask.requester { shared.requesters.insert(requester) }
            if let key = ask.idempotencyKey, let answer = reference.flatMap({ RefreshGate.Answer($0) }) {
                remembered.remember(answer, for: key, now)
                scheduleForgetting()
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
    private func show(_ words: [UInt8]?) {
        guard let told = SharedState(words: words), let state = told.state else { return }
        last = state.last ?? last
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
        if gate.current == nil, !shared.requesters.isEmpty {
            shared.requesters = []
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

    // MARK: Who leads

    /// What servers agree on was read.
    func take(_ agreement: StoredAgreement) {
        guard let store = store.shared else { return }
        shared.agreement = agreement
        shared.isAgreed = true
        let leads = agreement.leader == store.node && agreement.fence == shared.fence
        if shared.fence != nil, !leads {
            logger.notice("Another server leads this list now.", metadata: ["leader": "\(agreement.leader ?? "none")"])
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
            for ask in shared.takeUnasked() { send(ask, in: store) }
        } else if !leads, shared.hasWish || watcherCount > 0 {
            leadIfNobodyDoes()
        }
        tellLeadWaiters()
    }

    /// This server has the lead, or has not got it.
    func led(_ result: Result<Int?, ListStoreError>, in store: any SharedListStore) {
        shared.current = nil
        switch result {
        case .success(let fence?): lead(fence, in: store)
        case .success(nil): shared.isReadDue = true
        case .failure:
            for ask in shared.takeUnasked() { ask.then(nil) }
            let waiters = shared.leadWaiters
            shared.leadWaiters = []
            for waiter in waiters { waiter() }
        }
        guard !hasEnded else { return endSharing() }
        continueSharing(in: store)
    }

    private func lead(_ fence: Int, in store: any SharedListStore) {
        guard let kept else { return }
        shared.fence = fence
        let state = SharedState(words: shared.agreement.state)?.state
        gate = RefreshGate(
            rules: description.gateRules, runs: kept.facts.runs,
            age: kept.facts.updatedAt.map { .milliseconds(max(0, now.date - $0)) }, now: now)
        if isDraining { gate.drain() }
        if let state, state.phase == .loading { endOrphan(state) }
        shared.requesters = []
        publishState()
        share(.facts { _ in }, in: store)
        let asks = shared.takeUnasked()
        for ask in asks {
            let (reference, perform) = decide(ask.wish, ask.idempotencyKey, of: ask.requester)
            shared.answers.append(.init(key: ask.key, answer: reference.words))
            share(.facts { error in
                ask.then(error == nil ? reference : nil)
                perform(error)
            }, in: store)
        }
        // A list begins anew with each leader: what its source told meanwhile nobody has heard.
        hasLoaded = false
        // What was asked of the former leader is in the store, and what it did to rows.
        shared.isReadDue = true
        shared.isWholeDue = !description.actions.isEmpty
        if watcherCount > 0, shared.leadWaiters.isEmpty {
            follow()
            loadInitially()
        }
        tellLeadWaiters()
    }

    /// The server that ran the list is gone, and its run with it.
    private func endOrphan(_ state: ListState) {
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
        for waiter in waiters.removeValue(forKey: run) ?? [] { waiter.tell(ended) }
    }

    /// Another leads from now on. What the handler gives is not the list's.
    private func follow(_ words: [UInt8]?) {
        shared.fence = nil
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

/// A wish of somebody here, for whoever leads the list.
struct SharedAsk {
    let wish: SharedWish
    let key: [UInt8]
    /// Nil: nobody asks again.
    let idempotencyKey: IdempotencyKey?
    let requester: RefreshGate.Requester?
    /// Nil: the store can't be reached.
    let then: (RunReference?) -> Void

    init(
        wish: SharedWish, key: IdempotencyKey?, of requester: RefreshGate.Requester?,
        then: @escaping (RunReference?) -> Void
    ) {
        self.wish = wish
        idempotencyKey = key
        self.key = key?.bytes ?? (0..<16).map { _ in UInt8.random(in: 0...255) }
        self.requester = requester
        self.then = then
    }
}

/// What servers ask of each other, in words.
enum SharedWish: Hashable {
    case refresh(RefreshCause, isAfter: Bool)
    /// The page after the last row, which has this key.
    case more(Key)
    case stop(RunID)
    case act(ClientMessage.ActionRequest, session: String)
    case stopAction(ActionRuns.ID, session: String)

    /// Between words that may have spaces.
    private static let separator = "\u{1F}"

    func words(from node: String) -> [UInt8] {
        let text =
            switch self {
            case .refresh(let cause, let isAfter): "refresh \(node) \(cause.rawValue) \(isAfter ? "after" : "join")"
            case .more(let key): "more \(node) \(key.string)"
            case .stop(let run): "stop \(node) \(run)"
            case .act(.use(let name, let row), let session):
                "act \(node) " + ["use", session, name, row].joined(separator: Self.separator)
            case .act(.undo(let run), let session):
                "act \(node) " + ["undo", session, run].joined(separator: Self.separator)
            case .act(.mark, _): preconditionFailure("What was seen is no action of the list.")
            case .stopAction(let run, let session):
                "act \(node) " + ["stop", session, run.description].joined(separator: Self.separator)
            }
        return Array(text.utf8)
    }

    static func read(_ words: [UInt8]) -> (SharedWish, node: String)? {
        let parts = String(decoding: words, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3 else { return nil }
        let node = String(parts[1])
        switch parts[0] {
        case "refresh":
            let words = parts[2].split(separator: " ")
            guard words.count == 2, let cause = RefreshCause(rawValue: String(words[0])) else { return nil }
            return (.refresh(cause, isAfter: words[1] == "after"), node)
        case "more": return (.more(Key(String(parts[2]))), node)
        case "stop": return RunID(String(parts[2])).map { (.stop($0), node) }
        case "act": return act(parts[2].split(separator: Character(separator), maxSplits: 3).map(String.init)).map { ($0, node) }
        default: return nil
        }
    }

    private static func act(_ words: [String]) -> SharedWish? {
        switch words.first {
        case "use" where words.count == 4: .act(.use(words[2], row: words[3]), session: words[1])
        case "undo" where words.count == 3: .act(.undo(run: words[2]), session: words[1])
        case "stop" where words.count == 3: ActionRuns.ID(words[2]).map { .stopAction($0, session: words[1]) }
        default: nil
        }
    }
}

/// What a leader says of its list, in words: its state as it is told, and the progress of its run.
struct SharedState {
    var state: ListState?
    var progress: RunProgress?

    init(_ state: ListState, _ progress: RunProgress?) {
        self.state = state
        self.progress = progress
    }

    init?(words: [UInt8]?) {
        guard let lines = words?.split(separator: UInt8(ascii: "\n")), let first = lines.first else { return nil }
        if case .state(let state)? = try? ServerMessage(decoding: Array(first)) { self.state = state }
        if lines.count > 1, case .progress(_, _, let completed, let total, let note)? = try? ServerMessage(
            decoding: Array(lines[1]))
        {
            progress = RunProgress(completed: completed, total: total, note: note)
        }
    }

    func words(of list: String) -> [UInt8] {
        guard let state else { return [] }
        var words = ServerMessage.state(state).encoded()
        if let progress, let run = state.run {
            words.append(UInt8(ascii: "\n"))
            words += ServerMessage.progress(
                list: list, run: run, completed: progress.completed, total: progress.total, note: progress.note
            ).encoded()
        }
        return words
    }
}

extension RunReference {
    /// As servers tell each other.
    var words: [UInt8] {
        let text =
            switch self {
            case .run(let run, let joined): "run \(run) \(joined ? "joined" : "began")"
            case .noRun(let reason, let message): "none \(reason.rawValue) \(message ?? "")"
            }
        return Array(text.utf8)
    }

    init?(words: [UInt8]) {
        let parts = String(decoding: words, as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0] == "run" {
            self = .run(String(parts[1]), joined: parts[2] == "joined")
        } else if let reason = Reason(rawValue: String(parts[1])) {
            self = .noRun(reason, message: parts[2].isEmpty ? nil : String(parts[2]))
        } else {
            return nil
        }
    }
}

extension RefreshGate.Answer {
    init?(_ reference: RunReference) {
        switch reference {
        case .run(let run, let joined):
            guard let run = RunID(run) else { return nil }
            self = .run(run, joined: joined)
        case .noRun(.tooSoon, _): self = .tooSoon
        case .noRun(_, let message): self = .refused(message ?? "The list is not refreshed now.")
        }
    }
}

extension RefreshFailure {
    /// One that another server has told.
    fileprivate init(_ error: RunError?) {
        self.init(
            error?.message ?? "The refresh failed.", code: error?.code ?? "failed",
            retryAfter: error?.retryAfter.map { .milliseconds($0) })
        values = error?.values ?? []
    }
}

extension FinishedRun {
    /// A run that another server has performed.
    init(_ last: LastRun, cause: RefreshCause) {
        let outcome: RefreshOutcome =
            switch last.outcome {
            case .success: .success
            case .cancelled: .cancelled
            case .failure, .timeout: .failure(RefreshFailure(last.error))
            }
        self.init(
            id: RunID(last.run) ?? RunID(0), cause: last.cause == .more ? .more : cause, outcome: outcome,
            duration: .milliseconds(last.duration), changes: last.changes)
    }
}
