import ListProtocol
import WebSockets

/// One loop's sessions, and the lists that they watch. On its loop alone.
final class Desk {
    let house: House
    private let loop: ServiceLoop
    private let instruments: LoopInstruments
    var tally = DeskTally()
    var refusalLines = LineAllowance()
    var closingLines = LineAllowance()
    private(set) var sessions: [UInt64: Session] = [:]
    private var channels: [String: Channel] = [:]
    /// When the next token expires, in milliseconds since 1970; nil where none will, or nobody has come yet.
    var nextExpiry: Int64?
    /// Those over HTTP that wait.
    var requests = WaitingRequests()
    /// Broadcasts that are not over.
    private var broadcasts = SlicePlan<Channel>()
    /// Whether their next slice is on its way through the loop's mailbox.
    private var isSliceAsked = false
    /// Where this desk is; nil before the first socket.
    private(set) weak var place: LoopDesk?

    init(house: House, loop: ServiceLoop, instruments: LoopInstruments) {
        self.house = house
        self.loop = loop
        self.instruments = instruments
    }

    /// What its loop and it have done, and what they hold.
    var figures: DeskFigures {
        DeskFigures(
            loop: loop.figures, processorTime: loop.processorTime, watches: channels.mapValues(\.watchCount),
            tally: tally)
    }

    /// About once a second.
    func lagged(by lag: Duration) {
        instruments.lagged(by: lag)
        forgetLost()
        lookIfExpired()
    }

    /// Sessions that nobody comes back for wait for nothing any more.
    private func forgetLost() {
        for memory in house.sessions.takeExpired() { house.withdraw(memory) }
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

    func closed(_ socket: WebSocket, by closing: Closing) {
        logClosing(socket, closing)
        sessions.removeValue(forKey: socket.id)?.closed(cleanly: closing.wasClean)
        forgetLost()
    }

    /// A session has more to send, after whatever else the loop has to do.
    func goOn(_ socket: UInt64) { place?.post { desk in desk.sessions[socket]?.goOn() } }

    /// Another connection took the session up.
    func replaced(_ socket: UInt64) { sessions[socket]?.replaced() }

    // MARK: Lists

    /// The channel of a list that exists, made at its first watch on this loop.
    func channel(_ name: String) -> Channel? {
        let list = house.lists[name]
        if let channel = channels[name] {
            if channel.list === list { return channel }
            // Removed, and perhaps there again: we had yet to hear of it.
            close(channel)
        }
        guard let list else { return nil }
        // Weak: the place holds this desk, and with it the channel.
        let channel = Channel(list: list, loop: loop) { [weak place = self.place] relay in
            place?.post { desk in desk.take(from: name, relay) }
        }
        channels[name] = channel
        return channel
    }

    /// A relay has news.
    private func take(from name: String, _ relay: Relay) {
        lookIfExpired()
        guard let channel = channels[name], channel.relay === relay else {
            for delivery in relay.take().deliveries { deliverLate(delivery, of: name) }
            return
        }
        for delivery in channel.take() { deliver(delivery, from: channel) }
        guard channels[name] === channel else { return }
        channel.tellPulls()
        broadcasts.add(channel)
        askForSlice()
    }

    /// Also the first slice comes by the mailbox: so there is one between two looks at the sockets, however many lists
    /// have news.
    private func askForSlice() {
        guard !isSliceAsked, !broadcasts.isEmpty else { return }
        isSliceAsked = true
        place?.post { desk in desk.broadcast() }
    }

    private func broadcast() {
        isSliceAsked = false
        while let channel = broadcasts.next(at: house.clock.now.uptime) {
            if channel.serveHelping() { finish(channel) }
        }
        askForSlice()
    }

    private func finish(_ channel: Channel) {
        broadcasts.remove(channel)
        if let duration = channel.finishBroadcast() { instruments.broadcastEnded(after: duration) }
    }

    private func deliver(_ delivery: Delivery, from channel: Channel) {
        switch delivery {
        case .attached(let attachment): sessions[attachment.watch.socket]?.attached(attachment, to: channel)
        case .failed(let watch, let messageID, let reason):
            sessions[watch.socket]?.failed(watch, of: channel, messageID: messageID, reason)
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let ticket, let answer): sessions[ticket.socket]?.answered(ticket, answer, by: channel.list)
        case .folded(let base, let batch):
            tally.conflations[channel.list.name, default: 0] += channel.folded(base, batch)
        case .redescribed(let frame, let toReaders): channel.redescribed(frame, toReaders: toReaders)
        case .removed: close(channel)
        }
    }

    /// A list that is not there any more still answers what it was asked before.
    private func deliverLate(_ delivery: Delivery, of name: String) {
        switch delivery {
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let ticket, _): sessions[ticket.socket]?.unansweredByNobody(ticket.messageID, name)
        case .failed(let watch, let messageID, let reason):
            sessions[watch.socket]?.refuse(messageID, .unavailable, reason, after: 1000)
        case .attached, .folded, .redescribed, .removed: break
        }
    }

    /// A list is not there any more. Whoever watches it is told.
    private func close(_ channel: Channel) {
        guard channels[channel.list.name] === channel else { return }
        channels[channel.list.name] = nil
        broadcasts.remove(channel)
        for watch in channel.removeAll() { watch.session.unwatched(watch) }
    }
}

extension House {
    /// A session is over: it no longer waits for anything.
    func withdraw(_ memory: SessionMemory) {
        for name in memory.withContents({ $0.requested }) {
            lists[name]?.post { list in list.withdraw(memory.token) }
        }
    }
}
