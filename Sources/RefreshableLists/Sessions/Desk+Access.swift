import ListProtocol
import WebSockets

/// Who comes in, and for how long.
extension Desk {
    /// Somebody opened a socket. Nobody who is turned away gets a session.
    func opened(_ socket: WebSocket, at place: LoopDesk) {
        let handshake = socket.handshake
        switch house.doors.admit(ShownToken.of(handshake), from: handshake.remoteAddress) {
        case .visitor(let visitor):
            begin(Session(socket: socket, visitor: visitor, desk: self, place: place))
            watchExpiry(at: place)
        case .wrong: socket.close(CloseCode.unauthorised.rawValue, Doorkeeper.wrong)
        case .expired: socket.close(CloseCode.unauthorised.rawValue, Doorkeeper.expired)
        case .tooManyGuesses(let wait): socket.close(CloseCode.rate.rawValue, Doorkeeper.tooMany(wait))
        }
    }

    /// Tokens have changed.
    func look(at place: LoopDesk) {
        for session in sessions.values { session.look() }
        expiry?.cancel()
        expiry = nil
        watchExpiry(at: place)
    }

    /// Has all sessions looked at when the next token expires.
    private func watchExpiry(at place: LoopDesk) {
        guard expiry == nil, !sessions.isEmpty, let wait = house.doors.untilNextExpiry else { return }
        // No longer than a minute, as somebody may set the clock.
        expiry = place.loop.schedule(after: .milliseconds(min(wait, 60_000) + 1)) { [weak place] in
            place?.post { [weak place] desk in
                if let place { desk.look(at: place) }
            }
        }
    }
}
