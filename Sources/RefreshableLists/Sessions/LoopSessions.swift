import ListProtocol
import Logging
import WebSockets

/// The sessions of one loop, and the topics of the lists that they watch. On its loop alone.
final class LoopSessions {
    let context: ServerContext
    private let loop: ServiceLoop
    private let instruments: LoopInstruments
    var counts = LoopSessionCounts()
    var refusalLines = LogRateLimit()
    var closingLines = LogRateLimit()
    private(set) var sessions: [UInt64: Session] = [:]
    private var topics: [String: Topic] = [:]
    /// When the next token expires, in milliseconds since 1970; nil if none will, or no client is connected.
    var nextExpiry: Int64?
    /// Those over HTTP that wait.
    var requests = OpenRequests()
    /// Broadcasts that are not over.
    private var broadcasts = SliceScheduler<Topic>()
    /// Whether their next slice is on its way through the loop's mailbox.
    private var isSliceAsked = false
    /// The handler of this loop; nil before the first socket.
    private(set) weak var place: SessionHandler?

    init(context: ServerContext, loop: ServiceLoop, instruments: LoopInstruments) {
        self.context = context
        self.loop = loop
        self.instruments = instruments
    }

    /// What its loop and it have done, and what they hold.
    var statistics: LoopSessionStatistics {
        LoopSessionStatistics(
            loop: loop.statistics, processorTime: loop.processorTime, watches: topics.mapValues(\.watchCount),
            counts: counts)
    }

    /// About once a second.
    func lagged(by lag: Duration) {
        instruments.lagged(by: lag)
        forgetLost()
        lookIfExpired()
    }

    /// Sessions whose clients did not return stop waiting.
    private func forgetLost() {
        for memory in context.sessions.takeExpired() { context.withdraw(memory) }
    }

    // MARK: Sockets

    func begin(_ session: Session) {
        place = session.place
        sessions[session.socket.id] = session
        session.socket.context = session
        session.greet()
    }

    func received(_ message: WebSocketMessage, from socket: any SessionSocket) {
        lookIfExpired()
        session(of: socket)?.received(message)
    }

    func becameWritable(_ socket: any SessionSocket) { session(of: socket)?.drain() }

    private func session(of socket: any SessionSocket) -> Session? { socket.context as? Session }

    func closed(_ socket: any SessionSocket, by closing: CloseStatus) {
        logClosing(socket, closing)
        sessions.removeValue(forKey: socket.id)?.closed(cleanly: closing.isFromPeer)
        forgetLost()
    }

    /// A session has more to send, after whatever else the loop has to do.
    func goOn(_ socket: UInt64) { place?.post { loopSessions in loopSessions.sessions[socket]?.goOn() } }

    /// Another connection took the session up.
    func replaced(_ socket: UInt64) { sessions[socket]?.replaced() }

    // MARK: Lists

    /// The topic of a list that exists, made at its first watch on this loop.
    func topic(_ name: String) -> Topic? {
        let list = context.lists[name]
        if let topic = topics[name] {
            if topic.list === list { return topic }
            // Removed, and perhaps there again: we had yet to hear of it.
            close(topic)
        }
        guard let list else { return nil }
        // Weak: the place holds this loop, and with it the topic.
        let topic = Topic(list: list, loop: loop) { [weak place = self.place] feed in
            place?.post { loopSessions in loopSessions.take(from: name, feed) }
        }
        topics[name] = topic
        return topic
    }

    /// A feed has news.
    private func take(from name: String, _ feed: LoopFeed) {
        lookIfExpired()
        guard let main = topics[name], let topic = main.topic(of: feed) else {
            for delivery in feed.take().deliveries { deliverLate(delivery, of: name) }
            return
        }
        // What the list has answered before the news of a window is there by now, and is told before them.
        let deliveries = topic.take()
        if topic !== main { hear(main.take(), from: main) }
        hear(deliveries, from: topic)
    }

    private func hear(_ deliveries: [Delivery], from topic: Topic) {
        for delivery in deliveries { deliver(delivery, from: topic) }
        guard topics[topic.list.name]?.list === topic.list else { return }
        topic.tellPulls()
        broadcasts.add(topic)
        askForSlice()
    }

    /// Also the first slice comes by the mailbox: so there is one between two looks at the sockets, however many lists
    /// have news.
    private func askForSlice() {
        guard !isSliceAsked, !broadcasts.isEmpty else { return }
        isSliceAsked = true
        place?.post { loopSessions in loopSessions.broadcast() }
    }

    private func broadcast() {
        isSliceAsked = false
        while let topic = broadcasts.next(at: context.clock.now.uptime) {
            if topic.serveHelping() { finish(topic) }
        }
        askForSlice()
    }

    private func finish(_ topic: Topic) {
        broadcasts.remove(topic)
        if let duration = topic.finishBroadcast() { instruments.broadcastEnded(after: duration) }
    }

    private func deliver(_ delivery: Delivery, from topic: Topic) {
        switch delivery {
        case .attached(let start):
            let topic = start.feed.flatMap { topic.topic(of: $0) } ?? topic
            sessions[start.watch.socket]?.attached(start, to: topic)
            broadcasts.add(topic)
        case .failed(let watch, let messageID, let code, let reason):
            sessions[watch.socket]?.failed(watch, of: topic, messageID: messageID, code, reason)
        case .unmoved(let watch, let look, let messageID, let code, let reason):
            sessions[watch.socket]?.unmoved(watch, look: look, messageID: messageID, code, reason)
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let pending, let answer): sessions[pending.socket]?.answered(pending, answer, by: topic.list)
        case .folded(let base, let batch):
            counts.conflations[topic.list.name, default: 0] += topic.folded(base, batch)
        case .redescribed(let frames): topic.redescribed(frames)
        case .unread(let watch, let frame): sessions[watch.socket]?.tellUnread(frame, to: watch)
        case .unwatched(let watch, let code, let reason):
            sessions[watch.socket]?.unwatched(watch, of: topic, code, reason)
        case .removed: close(topic)
        case .over: forget(topic)
        }
    }

    /// A list that is not there any more still answers what it was asked before.
    private func deliverLate(_ delivery: Delivery, of name: String) {
        switch delivery {
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let pending, _): sessions[pending.socket]?.unansweredByNobody(pending.messageID, name)
        case .failed(let watch, let messageID, let code, let reason),
            .unmoved(let watch, _, let messageID, let code, let reason):
            sessions[watch.socket]?.refuse(messageID, code, reason, after: 1000)
        case .attached, .folded, .redescribed, .unread, .unwatched, .removed, .over: break
        }
    }

    /// A list was removed. Its watchers are notified.
    private func close(_ topic: Topic) {
        if topics[topic.list.name] === topic { topics[topic.list.name] = nil }
        for window in topic.windowTopics { close(window) }
        forget(topic)
        for watch in topic.removeAll() { watch.session.unwatched(watch) }
    }

    /// Nobody looks at a window any more.
    private func forget(_ topic: Topic) {
        topics[topic.list.name]?.forget(topic)
        broadcasts.remove(topic)
    }
}

extension ServerContext {
    /// A session is over: it no longer waits for anything.
    func withdraw(_ memory: SessionMemory) {
        for name in memory.withContents({ $0.requested }) {
            lists[name]?.post { list in list.withdraw(memory.token) }
        }
    }
}

/// Admits clients, and ends sessions whose token has expired or was removed.
extension LoopSessions {
    /// A socket was opened. Rejected clients get no session.
    ///
    /// - Parameter known: who it is, where another server knows that; nil: by what the handshake shows.
    func opened(_ socket: any SessionSocket, at place: SessionHandler, as known: Visitor? = nil) {
        let handshake = socket.handshake
        let expiry = nextExpiry ?? context.authenticator.nextExpiry
        let answer = known.map { Authenticator.Answer.visitor($0) } ?? context.authenticator.admit(handshake)
        switch answer {
        case .visitor(let visitor):
            let signIn = known == nil ? PresentedToken.of(handshake)?.signIn : nil
            begin(Session(socket: socket, visitor: visitor, signIn: signIn, loopSessions: self, place: place))
            noteExpiry(of: visitor, expiry)
        case .wrong: socket.close(CloseCode.unauthorised.rawValue, Authenticator.wrong)
        case .expired: socket.close(CloseCode.unauthorised.rawValue, Authenticator.expired)
        case .signedOut: socket.close(CloseCode.unauthorised.rawValue, Authenticator.signedOut)
        case .tooManyGuesses(let wait): socket.close(CloseCode.rate.rawValue, Authenticator.tooMany(wait))
        }
    }

    /// Tokens have changed, or a browser has signed out: sessions without a right end.
    func look() {
        for session in sessions.values { session.look() }
        requests.look(context.authenticator)
        let identities = sessions.values.compactMap(\.visitor.identityExpiry) + requests.identityExpiries
        nextExpiry = (identities + [context.authenticator.nextExpiry].compactMap(\.self)).min()
    }

    /// Somebody has come whose rights may expire.
    ///
    /// - Parameter expiry: when the next token was to expire before they were admitted: the date may have jumped since.
    private func noteExpiry(of visitor: Visitor, _ expiry: Int64?) {
        nextExpiry = nextExpiry ?? expiry
        if let expiry = visitor.identityExpiry { nextExpiry = min(nextExpiry ?? expiry, expiry) }
    }

    /// The same, once a token has expired by the date. Asked before anybody is heard or told anything, and once a second:
    /// a timer would run on while the clock is set, and not at all while the machine sleeps.
    func lookIfExpired() {
        if let nextExpiry, context.clock.now.date >= nextExpiry { look() }
    }

    /// A request was passed on: while it waits, its sender's rights are checked.
    ///
    /// - Parameter known: who it is, where another server knows that.
    func note(_ request: HTTPRequest, _ exchange: HTTPExchange, of known: Visitor? = nil) {
        if let known {
            guard exchange.isWaiting else { return }
            requests.add(exchange, of: known, by: nil)
            return noteExpiry(of: known, nextExpiry ?? context.authenticator.nextExpiry)
        }
        let expiry = nextExpiry ?? context.authenticator.nextExpiry
        guard exchange.isWaiting, let shown = PresentedToken.of(request), context.authenticator.asksForTokens,
            case .visitor(let visitor) = context.authenticator.admit(request)
        else { return }
        requests.add(exchange, of: visitor, by: shown.signIn)
        noteExpiry(of: visitor, expiry)
    }
}

extension LoopSessions {
    /// A client was rejected before its connection had a number.
    func refused(_ reason: Refusal, from address: String, path: String) {
        guard let leftOut = refusalLines.take(at: context.clock.now.uptime) else { return }
        let hint = reason == .origin ? " Allow it with \(SettingNames[.allowedOrigins])." : ""
        log(
            .notice, "Refused a connection or request.\(hint)", leftOut,
            ["reason": "\(reason.rawValue)", "address": "\(address)", "path": "\(path)"])
    }

    /// A page of a site that is not allowed has asked for a script. It gets it, as everybody does, but its browser will
    /// not run it, and tells of CORS alone.
    func logForeignPage(_ request: HTTPRequest) {
        guard request.path.hasSuffix(".js"), let origin = request.headers["Origin"],
            request.headers.isOfOwnPage == false,
            !context.allowedOrigins.contains(where: { $0 == "*" || $0.lowercased() == origin.lowercased() }),
            let leftOut = refusalLines.take(at: context.clock.now.uptime)
        else { return }
        log(
            .notice,
            "A page of another site asked for a script, which browsers don't run there. Allow it with \(SettingNames[.allowedOrigins]).",
            leftOut,
            ["origin": "\(origin)", "address": "\(request.remoteAddress)", "path": "\(request.path)"])
    }

    /// A connection has ended. Those that the server ended for something they did are worth a line.
    func logClosing(_ socket: any SessionSocket, _ closing: CloseStatus) {
        let about: Logger.Metadata = [
            "connection": "\(socket.id)", "address": "\(socket.handshake.remoteAddress)", "code": "\(closing.code)",
            "reason": "\(closing.reason)",
        ]
        guard Self.isFault(closing) else { return context.logger.debug("A connection ended.", metadata: about) }
        guard let leftOut = closingLines.take(at: context.clock.now.uptime) else { return }
        log(.info, "Closed a connection.", leftOut, about)
    }

    private static func isFault(_ closing: CloseStatus) -> Bool {
        guard !closing.isFromPeer else { return false }
        return closing.code == 1002 || 1007...1009 ~= closing.code || 4000..<4200 ~= closing.code
    }

    private func log(_ level: Logger.Level, _ message: String, _ leftOut: Int, _ about: Logger.Metadata) {
        var about = about
        if leftOut > 0 { about["leftOut"] = "\(leftOut)" }
        context.logger.log(level: level, "\(message)", metadata: about)
    }
}
