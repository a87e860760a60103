import ListProtocol
import WebSockets

/// One loop's sessions, and the lists that they watch. On its loop alone.
final class Desk {
    let house: House
    private var sessions: [UInt64: Session] = [:]
    private var channels: [String: Channel] = [:]

    init(house: House) { self.house = house }

    // MARK: Sockets

    func opened(_ socket: WebSocket, at place: LoopDesk) {
        let session = Session(socket: socket, desk: self, place: place)
        sessions[socket.id] = session
        session.greet()
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) { sessions[socket.id]?.received(message) }

    func becameWritable(_ socket: WebSocket) { sessions[socket.id]?.drain() }

    func closed(_ socket: WebSocket, by closing: Closing) {
        sessions.removeValue(forKey: socket.id)?.closed(cleanly: closing.wasClean)
        for memory in house.sessions.takeExpired() { house.withdraw(memory) }
    }

    /// Another connection took the session up.
    func replaced(_ socket: UInt64) { sessions[socket]?.replaced() }

    // MARK: Lists

    /// The channel of a list that exists, made at its first watch on this loop.
    func channel(_ name: String, at place: LoopDesk) -> Channel? {
        if let channel = channels[name] { return channel }
        guard let list = house.lists[name] else { return nil }
        // Weak: the place holds this desk, and with it the channel.
        let channel = Channel(list: list) { [weak place] _ in place?.post { desk in desk.take(from: name) } }
        channels[name] = channel
        channel.wakeAgain = { [weak place] in place?.post { desk in desk.turnCame(to: name) } }
        return channel
    }

    /// A relay has news.
    private func take(from name: String) {
        guard let channel = channels[name] else { return }
        for delivery in channel.take() { deliver(delivery, from: channel) }
        channel.tellPulls()
        serve(channel)
    }

    /// A broadcast that took longer than its slice of time goes on after others had their turn.
    private func serve(_ channel: Channel) {
        guard !channel.isAwaitingTurn, channel.serveSlice(clock: house.clock) else { return }
        channel.isAwaitingTurn = true
        channel.wakeAgain()
    }

    private func turnCame(to name: String) {
        guard let channel = channels[name] else { return }
        channel.isAwaitingTurn = false
        serve(channel)
    }

    private func deliver(_ delivery: Delivery, from channel: Channel) {
        switch delivery {
        case .attached(let attachment): sessions[attachment.watch.socket]?.attached(attachment, to: channel)
        case .failed(let watch, let messageID, let reason):
            sessions[watch.socket]?.failed(watch, of: channel, messageID: messageID, reason)
        case .replied(let socket, let reply): sessions[socket]?.answer(SharedFrame(text: reply))
        case .answered(let ticket, let answer): sessions[ticket.socket]?.answered(ticket, answer, by: channel.list)
        case .folded(let base, let batch): channel.folded(base, batch)
        }
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
