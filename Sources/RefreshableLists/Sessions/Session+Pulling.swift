import KeyedLists
import ListProtocol
import Pulling
import WebSockets

/// A session's gestures, and what it asks of lists.
extension Session {
    func pull(_ watch: Watch, _ id: String?, gesture: Int, offset: Double) {
        guard isRefreshable(watch, id) else { return }
        answer(.ok(OK(id: id, list: watch.topic.list.name)), if: id)
        feed(.sample(gesture: gesture, offset: offset), to: watch)
    }

    func cancel(_ watch: Watch, _ id: String?, gesture: Int) {
        guard isRefreshable(watch, id) else { return }
        answer(.ok(OK(id: id, list: watch.topic.list.name)), if: id)
        feed(.cancel(gesture: gesture), to: watch)
    }

    func release(_ watch: Watch, _ id: String?, gesture: Int, offset: Double, peak: Double?) {
        guard isRefreshable(watch, id) else { return }
        feed(.release(gesture: gesture, offset: offset, peak: peak), to: watch, id)
    }

    func refresh(_ watch: Watch, _ id: String?, key: String?, fresh: ClientMessage.Freshness) {
        guard isRefreshable(watch, id) else { return }
        request(
            watch.topic.list, .init(requester: requester, cause: .refresh, isAfter: fresh == .after),
            key: key.map { IdempotencyKey($0, of: .session(token)) }, RequestID(socket: socket.id, messageID: id))
    }

    func stop(_ watch: Watch, _ id: String?, run: String) {
        let list = watch.topic.list
        if let run = ActionRuns.ID(run) { return stop(watch, id, action: run) }
        guard may(.refresh, list.name, id) else { return }
        guard let run = RunID(run) else {
            return refuse(id, .badField, "Field \"run\": expected the name of a run, such as \"r7\"; got \"\(run)\".")
        }
        answer(.ok(OK(id: id, list: list.name)), if: id)
        list.post { [token] list in list.stop(run, by: token) }
    }

    /// The list has answered to a request.
    func answered(_ pending: RequestID, _ answer: RefreshGate.Answer?, by list: LiveList) {
        if answer == .unavailable {
            mayHaveBeenAnswered = true
            refuse(
                pending.messageID, .unavailable, "The list \(list.name) cannot be refreshed at the moment.", after: 2000
            )
        } else if let id = pending.messageID {
            self.answer(.ok(OK(id: id, list: list.name, run: answer?.reference ?? .noRun(.spent))))
        }
        guard let watch = watch(of: list.name), let gesture = pending.gesture else { return }
        show(change(watch) { $0.answered(answer, to: gesture) }, to: watch)
    }

    /// The list has a new state: gestures go on from there.
    func listChanged(_ watch: Watch, now state: ListStateFrame) {
        let name = watch.topic.list.name
        let states = memory?.withContents { contents -> [Pull.PrivateState] in
            guard contents.pulls[name] != nil else { return [] }
            return contents.pulls[name]!.hear(state)
        }
        show(states?.last, to: watch)
    }

    private var requester: RefreshGate.Requester { .session(token) }

    private func isRefreshable(_ watch: Watch, _ id: String?) -> Bool {
        let list = watch.topic.list
        guard may(.refresh, list.name, id) else { return false }
        if list.isRefreshable { return true }
        refuse(id, .notRefreshable, "The list \"\(list.name)\" has nothing to refresh it.")
        return false
    }

    /// - Parameter id: of the message to answer with what becomes of the gesture; nil where nobody waits for that.
    private func feed(_ event: Pull.Event, to watch: Watch, _ id: String? = nil) {
        let list = watch.topic.list
        let step = change(watch) { $0.feel(event) }
        switch step.request {
        case .ask(let gesture): ask(list, RequestID(socket: socket.id, messageID: id, gesture: gesture))
        case .recall(let gesture): recall(list, RequestID(socket: socket.id, messageID: id, gesture: gesture))
        case .spent(let gesture) where context.isShared:
            answerSpent(list, RequestID(socket: socket.id, messageID: id, gesture: gesture))
        case .spent: answer(.ok(OK(id: id, list: list.name, run: .noRun(.spent))), if: id)
        case .answer(let reference): answer(.ok(OK(id: id, list: list.name, run: reference)), if: id)
        case nil: break
        }
        show(step.state, to: watch)
    }

    private func change<Result>(_ watch: Watch, _ body: (inout PullMemory) -> Result) -> Result {
        let topic = watch.topic
        let memory = remember()
        if memory.withContents({ $0.pulls[topic.list.name] == nil }) { noteKept() }
        return memory.withContents { contents in
            var memory =
                contents.pulls[topic.list.name]
                ?? PullMemory(topic.list.pull, topic.newestState)
            memory.configure(topic.list.pull)
            defer { contents.pulls[topic.list.name] = memory }
            return body(&memory)
        }
    }

    private func show(_ state: Pull.PrivateState?, to watch: Watch) {
        guard let state, let phase = Phase(rawValue: state.phase.rawValue) else { return }
        let message = PrivateState(
            list: watch.topic.list.name, phase: phase, gesture: state.gesture, progress: state.progress)
        watch.privateState = SharedFrame(text: ServerMessage.privateState(message).encoded())
        serve(watch)
    }

    private func ask(_ list: LiveList, _ pending: RequestID) {
        request(list, .init(requester: requester, cause: .pull), key: key(of: pending), pending)
    }

    /// A gesture's answer is remembered under a key of its own, so that however often it is asked for, one run comes.
    private func key(of pending: RequestID) -> IdempotencyKey? {
        pending.gesture.map { IdempotencyKey(gesture: $0, of: token) }
    }

    private func request(
        _ list: LiveList, _ request: RefreshGate.Request, key: IdempotencyKey?, _ pending: RequestID
    ) {
        _ = remember().withContents { $0.requested.insert(list.name) }
        guard let feed = watch(of: list.name)?.topic.feed else { return }
        list.post { [mayHaveBeenAnswered] list in
            list.refresh(request, key: key, isNew: !mayHaveBeenAnswered, pending: pending, to: feed)
        }
    }

    private func answerSpent(_ list: LiveList, _ pending: RequestID) {
        guard let feed = watch(of: list.name)?.topic.feed, let key = key(of: pending) else { return }
        list.post { list in list.answerSpent(key, pending: pending, to: feed) }
    }

    private func recall(_ list: LiveList, _ pending: RequestID) {
        guard let feed = watch(of: list.name)?.topic.feed, let key = key(of: pending) else { return }
        let request = RefreshGate.Request(requester: requester, cause: .pull)
        list.post { list in list.recall(request, key: key, pending: pending, to: feed) }
    }
}

extension RefreshGate.Answer {
    var isRefusal: Bool {
        switch self {
        case .run: false
        case .tooSoon, .refused, .spent, .unavailable: true
        }
    }

    var reference: RunReference {
        switch self {
        case .run(let run, let joined): .run(run.description, joined: joined)
        case .tooSoon: .noRun(.tooSoon)
        case .refused(let reason): .noRun(.refused, message: reason)
        case .spent: .noRun(.spent)
        case .unavailable: .noRun(.refused, message: "The list cannot be refreshed at the moment.")
        }
    }
}

/// A session asks for the next page.
extension Session {
    func more(_ watch: Watch, _ id: String?, after key: String) {
        let list = watch.topic.list
        guard may(.refresh, list.name, id) else { return }
        _ = remember().withContents { $0.requested.insert(list.name) }
        list.post { [token, feed = watch.topic.feed, socket = socket.id] list in
            list.more(after: Key(key), by: token, messageID: id, for: socket, to: feed)
        }
    }
}

/// A session acts on rows.
extension Session {
    /// How lists call whoever acts. Other servers may hear it, and are not told what takes the session up.
    private var actor: String {
        context.isShared ? String(SHA256Digest(of: token).hexadecimal.prefix(32)) : token
    }

    func act(_ watch: Watch, _ id: String?, _ request: ClientMessage.ActionRequest, key: String) {
        let list = watch.topic.list
        let listener = ActionListener(socket: socket.id, feed: watch.topic.feed)
        if case .mark(let isSeen, let row) = request { return mark(watch, id, isSeen: isSeen, row, listener) }
        guard may(.act, list.name, id) else { return }
        _ = remember()
        list.post { [actor] list in
            list.act(request, key: IdempotencyKey(action: key), by: actor, messageID: id, to: listener)
        }
    }

    private func mark(
        _ watch: Watch, _ id: String?, isSeen: Bool, _ row: String?, _ listener: ActionListener
    ) {
        let list = watch.topic.list
        guard list.description.tracksUnread else {
            return refuse(id, .badField, "The list \"\(list.name)\" does not note which rows were seen.")
        }
        guard let person = watch.person else {
            return refuse(id, .forbidden, "Show a token first: which rows were seen is noted for people who signed in.")
        }
        list.post { list in list.mark(isSeen: isSeen, row.map { Key($0) }, by: person, messageID: id, to: listener) }
    }

    func tellUnread(_ frame: SharedFrame, to id: WatchID) {
        guard let watch = watch(with: id) else { return }
        watch.unread = frame
        serve(watch)
    }

    private func stop(_ watch: Watch, _ id: String?, action run: ActionRuns.ID) {
        let list = watch.topic.list
        guard may(.act, list.name, id) else { return }
        answer(.ok(OK(id: id, list: list.name)), if: id)
        list.post { [actor] list in list.stopAction(run, by: actor) }
    }
}

/// A client checks its rows.
extension Session {
    /// Asks the list, which answers in turn with its commits. It needs no watch; and without an id nobody is answered.
    func digest(_ name: String, _ id: String?) {
        guard let topic = topic(name, id), let id else { return }
        topic.list.post { [feed = topic.feed, socket = socket.id, watch = watch(of: name)?.id] list in
            list.digest(id, for: socket, watch, to: feed)
        }
    }
}
