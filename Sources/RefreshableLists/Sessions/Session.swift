import KeyedLists
import ListProtocol
import ListSources
import WebSockets

/// One browser's conversation: what it watches, what it is owed, and its gestures. On its loop alone.
final class Session {
    let socket: any SessionSocket
    unowned let loopSessions: LoopSessions
    let place: SessionHandler
    /// Who is on the other side.
    private(set) var visitor: Visitor
    /// By which they came, where it was by a cookie.
    var signIn: PresentedToken.SignIn?
    /// Names the session to its client, who may take it up again after its connection was lost.
    private var name = SessionToken.random()
    /// What outlives the connection. Nil as long as there is nothing to remember.
    private(set) var memory: SessionMemory?
    /// In the order in which they were begun, so that each gets its turn. Mostly one, at most `listsPerConnection`.
    private var watches: [Watch] = []
    /// Answers that wait for the socket. Few: nothing more is read from a socket that takes nothing more.
    private var answers: [SharedFrame] = []
    private lazy var rate = RateLimiter(context.limits, now: context.clock.now)
    private var watchSerial = 0
    /// Whether there is more to send than the loop has time for at once.
    private var goesOnLater = false
    /// Whether what its gestures ask may have been answered, unheard: it began on another connection, maybe to another server, or the
    /// store was away.
    var mayHaveBeenAnswered = false

    /// How much is sent at a time, in bytes.
    private static let helping = 256 * 1024
    /// About as many bytes as a watch has, and a gesture that is remembered.
    private static let (watchSize, pullSize) = (512, 768)
    /// After which a list that was removed may be asked for again, in milliseconds: a file that is edited is saved twice.
    private static let patience = 5000

    init(
        socket: any SessionSocket, visitor: Visitor, signIn: PresentedToken.SignIn? = nil, loopSessions: LoopSessions,
        place: SessionHandler
    ) {
        self.signIn = signIn
        self.socket = socket
        self.visitor = visitor
        self.loopSessions = loopSessions
        self.place = place
    }

    var context: ServerContext { loopSessions.context }
    var token: String { name.text }
    var hasPulls: Bool { memory != nil }

    func greet() {
        let context = context
        answer(
            .welcome(
                session: token, now: context.clock.now.date, heartbeat: Int(context.heartbeat.milliseconds),
                limits: context.limits))
        if visitor.isNobody { waitForToken() }
    }

    // MARK: Receiving

    func received(_ message: WebSocketMessage) {
        switch message {
        case .text(let bytes): receive { try ClientMessage(decoding: bytes, limits: context.limits) }
        case .binary: receive { throw MessageError.binary }
        case .tooLarge: receive { throw MessageError.tooLarge(limit: context.limits.clientFrame) }
        }
    }

    private func receive(_ decode: () throws -> ClientMessage) {
        do {
            let message = try decode()
            if isAllowed(message, id: message.id) { perform(message) }
        } catch let error as MessageError {
            guard isAllowed(nil, id: error.id) else { return }
            loopSessions.counts.errors[error.code, default: 0] += 1
            answer(error.answer)
        } catch {
            preconditionFailure("A message is either read or refused: \(error)")
        }
    }

    private func isAllowed(_ message: ClientMessage?, id: String?) -> Bool {
        if isFirstWatch(message) { return true }
        switch rate.check(message, now: context.clock.now) {
        case .fine: return true
        case .excess(let isSaid):
            if isSaid || id != nil {
                refuse(id, .rateLimited, "Too many messages. Send fewer than the limits in the welcome.", after: 1000)
            }
        case .close: close(.rate, "Too many messages for too long.")
        }
        return false
    }

    /// Watches count against the number of lists. Against the rate count those that number refuses, those of a list that is
    /// watched already, and those of names that are none, or whoever guesses names could do so as fast as they like.
    private func isFirstWatch(_ message: ClientMessage?) -> Bool {
        guard case .watch(_, let list, _, _) = message else { return false }
        return watches.count < context.limits.listsPerConnection && watch(of: list) == nil
            && context.lists[list, for: visitor] != nil
    }

    func watch(with id: WatchID) -> Watch? { watches.first { $0.id == id } }

    func watch(of list: String) -> Watch? { watches.first { $0.topic.list.name == list } }

    private func perform(_ message: ClientMessage) {
        switch message {
        case .hello(let id, let session, let token): if isAdmitted(token, id) { takeUp(session, id) }
        case .ping(let id): answer(.ok(OK(id: id)), if: id)
        case .watch(let id, let list, let resume, let view): watch(list, id, resume, view)
        case .look(let id, let list, let view): withWatch(list, id) { look($0, id, at: view) }
        case .unwatch(let id, let list): unwatch(list, id)
        case .pull(let id, let list, let gesture, let offset):
            withWatch(list, id) { pull($0, id, gesture: gesture, offset: offset) }
        case .release(let id, let list, let gesture, let offset, let peak):
            withWatch(list, id) { release($0, id, gesture: gesture, offset: offset, peak: peak) }
        case .cancel(let id, let list, let gesture):
            withWatch(list, id) { cancel($0, id, gesture: gesture) }
        case .refresh(let id, let list, let key, let fresh):
            withWatch(list, id) { refresh($0, id, key: key, fresh: fresh) }
        case .stop(let id, let list, let run): withWatch(list, id) { stop($0, id, run: run) }
        case .more(let id, let list, let after): withWatch(list, id) { more($0, id, after: after) }
        case .act(let id, let list, let request, let key):
            withWatch(list, id) { act($0, id, request, key: key) }
        case .digest(let id, let list): digest(list, id)
        }
    }

    private func withWatch(_ name: String, _ id: String?, _ body: (Watch) -> Void) {
        if let watch = watch(of: name) { return body(watch) }
        if context.lists[name, for: visitor] == nil { return refuseUnknown(id, name) }
        refuse(id, .notWatching, "This connection does not watch \"\(name)\". Send a watch first.")
    }

    // MARK: Hello

    private func takeUp(_ wanted: String?, _ id: String?) {
        // Said twice, it is answered twice alike.
        var resumed = wanted == token && memory != nil
        if let wanted, wanted != token, let wantedName = SessionToken(wanted), watches.isEmpty, memory == nil,
            let found = context.sessions.takeUp(wanted, owner: owner)
        {
            memory = found
            name = wantedName
            mayHaveBeenAnswered = true
            resumed = true
        } else if context.isShared, let wanted, wanted != token, let wantedName = SessionToken(wanted), watches.isEmpty,
            memory == nil
        {
            // It may have been another server's. What its gestures were answered is in the store, under its name.
            name = wantedName
            mayHaveBeenAnswered = true
            _ = remember()
            resumed = true
        }
        answer(.ok(OK(id: id, session: token, resumed: resumed)), if: id)
    }

    private var owner: SessionRegistry.Owner {
        let id = socket.id
        return .init(socket: id) { [place] in place.post { loopSessions in loopSessions.replaced(id) } }
    }

    /// What outlives the connection, made when there is something to remember.
    func remember() -> SessionMemory {
        if let memory { return memory }
        let memory = SessionMemory(token: token)
        context.sessions.register(memory, owner: owner)
        self.memory = memory
        for watch in watches { watch.topic.notePulls(of: watch) }
        noteKept()
        return memory
    }

    func replaced() { close(.stateReset, "Another connection took this session up.") }

    // MARK: Watching

    private func watch(_ name: String, _ id: String?, _ resume: ClientMessage.Resume?, _ asked: ViewRequest?) {
        guard let topic = topic(name, id) else { return }
        var view: ListView?
        if let asked {
            guard let read = self.view(asked, id) else { return }
            view = read
        }
        if watch(of: name) == nil, watches.count >= context.limits.listsPerConnection {
            return refuse(id, .tooManyLists, "A connection may watch \(context.limits.listsPerConnection) lists.")
        }
        leave(name)
        watchSerial += 1
        let watch = Watch(id: WatchID(socket: socket.id, serial: watchSerial), session: self, topic: topic)
        watches.append(watch)
        topic.add(watch)
        noteKept()
        let watchID = watch.id
        topic.list.post { [feed = topic.feed, view, rights = watch.rights, person = watch.person] list in
            list.attach(
                watchID, messageID: id, resume: resume, view: view, rights: rights, of: person, to: feed)
        }
    }

    private func look(_ watch: Watch, _ id: String?, at asked: ViewRequest) {
        guard let view = view(asked, id) else { return }
        let held = watch.topic.revision(of: watch)
        let number = watch.beginLook()
        let feed = watch.topic.feed
        watch.topic.list.post { [feed, watch = watch.id] list in
            list.look(
                at: view, watch, look: number, messageID: id, held: held, isWhole: feed.main == nil,
                on: feed.main ?? feed)
        }
    }

    /// What they want to look at; nil where they were told what is wrong with it.
    private func view(_ asked: ViewRequest, _ id: String?) -> ListView? {
        do throws(RowQueryError) { return try ListView(asked) } catch {
            refuse(id, .badField, error.sentence { "The field \"window.\($0)\"" })
            return nil
        }
    }

    /// The list can't lay the window: the watch goes on with what it looked at before.
    func unmoved(_ id: WatchID, look: Int, messageID: String?, _ code: ErrorCode, _ reason: String) {
        refuse(messageID, code, reason, after: 5000)
        guard let watch = watch(with: id) else { return }
        watch.looked(look)
        serve(watch)
    }

    /// The topic of a list that may be read; nil where they were told why not.
    func topic(_ name: String, _ id: String?) -> Topic? {
        guard visitor.sees(name), let topic = loopSessions.topic(name) else {
            refuseUnknown(id, name)
            return nil
        }
        return may(.read, name, id) ? topic : nil
    }

    /// From now on it is this one: what they may no longer read is gone for them.
    func become(_ visitor: Visitor) {
        guard visitor !== self.visitor else { return }
        self.visitor = visitor
        for watch in watches {
            let list = watch.topic.list
            guard visitor.may(.read, list.name) else {
                leave(list.name)
                answer(.unwatched(list: list.name, code: .unknownList, message: gone(list.name), after: Self.patience))
                continue
            }
            let rights = visitor.watchRights(to: list.name)
            guard rights != watch.rights else { continue }
            watch.rights = rights
            let told = list.listDescription.offered(to: rights)
            watch.settings = SharedFrame(text: ServerMessage.settings(told).encoded())
            serve(watch)
        }
    }

    private func unwatch(_ name: String, _ id: String?) {
        guard context.lists[name, for: visitor] != nil else { return refuseUnknown(id, name) }
        leave(name)
        answer(.ok(OK(id: id, list: name)), if: id)
    }

    private func leave(_ name: String) {
        guard let watch = watch(of: name) else { return }
        watches.removeAll { $0 === watch }
        noteKept()
        watch.topic.remove(watch)
        watch.topic.list.post { [feed = watch.topic.feed, id = watch.id, person = watch.person] list in
            list.detach(id, of: person, from: feed.main ?? feed)
        }
    }

    /// Watches nothing any more.
    func leaveAll() {
        for watch in watches { leave(watch.topic.list.name) }
    }

    /// The list is not there any more. What it was asked has been answered.
    func unwatched(_ watch: Watch) {
        let name = watch.topic.list.name
        guard self.watch(of: name) === watch else { return }
        watches.removeAll { $0 === watch }
        answer(.unwatched(list: name, code: .unknownList, message: gone(name), after: Self.patience))
    }

    /// A watch that had begun is over, and may begin again.
    func unwatched(_ id: WatchID, of topic: Topic, _ code: ErrorCode, _ reason: String) {
        let name = topic.list.name
        guard watch(of: name)?.id == id else { return }
        leave(name)
        answer(.unwatched(list: name, code: code, message: reason, after: Self.patience))
    }

    /// A list was removed before it heard what it was asked, or may no longer be read.
    func unansweredByNobody(_ id: String?, _ name: String) {
        if id != nil { refuse(id, .unknownList, gone(name)) }
    }

    private func gone(_ name: String) -> String { "The list \"\(name)\" is not there any more." }

    func attached(_ attachment: WatchStart, to topic: Topic) {
        let watch = watches.first { $0.id == attachment.watch }
        if let watch { topic.attach(watch, attachment) }
        guard visitor.may(.read, topic.list.name) else {
            return unansweredByNobody(attachment.messageID, topic.list.name)
        }
        // Each message is answered, also one that a later watch or unwatch overtook. Only the newest gets rows.
        if let ok = attachment.ok { answer(SharedFrame(text: ok)) }
        guard let watch else { return }
        if !socket.isWritable { noteKept() }
        // Gestures that were taken up again, or began before, go on from what the list does now.
        if let state = topic.newestState { listChanged(watch, now: state) }
    }

    func failed(_ id: WatchID, of topic: Topic, messageID: String?, _ code: ErrorCode, _ reason: String) {
        if watch(of: topic.list.name)?.id == id { leave(topic.list.name) }
        refuse(messageID, code, reason, after: 5000)
    }

    // MARK: Sending

    /// Sends as much as the socket takes: answers, then each watch in turn.
    func drain() {
        while socket.isWritable, !answers.isEmpty { socket.sendNow(answers.removeFirst()) }
        for watch in watches where socket.isWritable && !goesOnLater { serve(watch) }
        noteKept()
    }

    /// What was left when others were let in.
    func goOn() {
        goesOnLater = false
        drain()
    }

    /// What it keeps may have changed. One watch or two are nothing beside a connection.
    func noteKept() {
        let pulls = memory?.withContents { max($0.pulls.count, $0.requested.count) } ?? 0
        var kept = max(0, watches.count - 2) * Self.watchSize + max(0, pulls - 2) * Self.pullSize
        if !socket.isWritable {
            kept += watches.reduce(0) { $0 + $1.ownSize } + answers.reduce(0) { $0 + $1.payloadLength }
        }
        socket.kept = kept
    }

    /// Sends what one watch has, unless something older waits.
    ///
    /// - Returns: the bytes that were sent.
    @discardableResult func serve(_ watch: Watch) -> Int {
        if watch.isTooSlow { close(.tooSlow, "The rows were read too slowly.") }
        guard answers.isEmpty, !watch.isTooSlow else { return 0 }
        var sent = 0
        while socket.isWritable, !goesOnLater, let frame = watch.nextFrame() {
            sent += socket.sendNow(frame)
            guard sent >= Self.helping else { continue }
            // A long list that somebody reads as fast as we send: the loop's others are not to wait for its end.
            goesOnLater = true
            loopSessions.goOn(socket.id)
        }
        return sent
    }

    func answer(_ message: ServerMessage) { answer(SharedFrame(text: message.encoded())) }

    /// A message without an id wants no answer.
    func answer(_ message: ServerMessage, if id: String?) {
        if id != nil { answer(message) }
    }

    func refuse(_ id: String?, _ code: ErrorCode, _ message: String, after: Int? = nil) {
        loopSessions.counts.errors[code, default: 0] += 1
        answer(.error(id: id, code: code, message: message, after: after))
    }

    func answer(_ frame: SharedFrame) {
        if answers.isEmpty, socket.isWritable { return _ = socket.sendNow(frame) }
        answers.append(frame)
        socket.kept += frame.payloadLength
    }

    // MARK: Ending

    func close(_ code: CloseCode, _ reason: String) { socket.close(code.rawValue, reason) }

    /// - Parameter cleanly: whether the client said so, by a Close frame. Then it waits for nothing any more.
    func closed(cleanly: Bool) {
        leaveAll()
        guard let memory else { return }
        if cleanly { context.withdraw(memory) }
        context.sessions.release(token, by: socket.id)
    }
}
