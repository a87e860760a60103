import ListProtocol
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
    /// When the next token expires, in milliseconds since 1970; nil where none will, or nobody has come yet.
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

    /// Sessions that nobody comes back for wait for nothing any more.
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

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        lookIfExpired()
        session(of: socket)?.received(message)
    }

    func becameWritable(_ socket: WebSocket) { session(of: socket)?.drain() }

    private func session(of socket: WebSocket) -> Session? { socket.context as? Session }

    func closed(_ socket: WebSocket, by closing: CloseStatus) {
        logClosing(socket, closing)
        sessions.removeValue(forKey: socket.id)?.closed(cleanly: closing.wasClean)
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
        guard let topic = topics[name], topic.feed === feed else {
            for delivery in feed.take().deliveries { deliverLate(delivery, of: name) }
            return
        }
        for delivery in topic.take() { deliver(delivery, from: topic) }
        guard topics[name] === topic else { return }
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
        case .attached(let attachment): sessions[attachment.watch.socket]?.attached(attachment, to: topic)
        case .failed(let watch, let messageID, let reason):
            sessions[watch.socket]?.failed(watch, of: topic, messageID: messageID, reason)
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let pending, let answer): sessions[pending.socket]?.answered(pending, answer, by: topic.list)
        case .folded(let base, let batch):
            counts.conflations[topic.list.name, default: 0] += topic.folded(base, batch)
        case .redescribed(let frame, let toReaders): topic.redescribed(frame, toReaders: toReaders)
        case .removed: close(topic)
        }
    }

    /// A list that is not there any more still answers what it was asked before.
    private func deliverLate(_ delivery: Delivery, of name: String) {
        switch delivery {
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let pending, _): sessions[pending.socket]?.unansweredByNobody(pending.messageID, name)
        case .failed(let watch, let messageID, let reason):
            sessions[watch.socket]?.refuse(messageID, .unavailable, reason, after: 1000)
        case .attached, .folded, .redescribed, .removed: break
        }
    }

    /// A list is not there any more. Whoever watches it is told.
    private func close(_ topic: Topic) {
        guard topics[topic.list.name] === topic else { return }
        topics[topic.list.name] = nil
        broadcasts.remove(topic)
        for watch in topic.removeAll() { watch.session.unwatched(watch) }
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
