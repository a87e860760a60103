import ListProtocol
import WebSockets

/// Who comes in, and for how long.
extension LoopSessions {
    /// Somebody opened a socket. Nobody who is turned away gets a session.
    func opened(_ socket: WebSocket, at place: SessionHandler) {
        let handshake = socket.handshake
        switch context.authenticator.admit(handshake) {
        case .visitor(let visitor):
            let signIn = PresentedToken.of(handshake)?.signIn
            begin(Session(socket: socket, visitor: visitor, signIn: signIn, loopSessions: self, place: place))
            nextExpiry = nextExpiry ?? context.authenticator.nextExpiry
        case .wrong: socket.close(CloseCode.unauthorised.rawValue, Authenticator.wrong)
        case .expired: socket.close(CloseCode.unauthorised.rawValue, Authenticator.expired)
        case .signedOut: socket.close(CloseCode.unauthorised.rawValue, Authenticator.signedOut)
        case .tooManyGuesses(let wait): socket.close(CloseCode.rate.rawValue, Authenticator.tooMany(wait))
        }
    }

    /// Tokens have changed, or a browser has signed out: whoever may not is out.
    func look() {
        for session in sessions.values { session.look() }
        requests.look(context.authenticator)
        nextExpiry = context.authenticator.nextExpiry
    }

    /// The same, once a token has expired by the date. Asked before anybody is heard or told anything, and once a second:
    /// a timer would run on while the clock is set, and not at all while the machine sleeps.
    func lookIfExpired() {
        if let nextExpiry, context.clock.now.date >= nextExpiry { look() }
    }

    /// A request was handed on: if it waits for its answer, it does so as long as whoever sent it may ask.
    func note(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard exchange.isWaiting, let shown = PresentedToken.of(request), context.authenticator.asksForTokens,
            case .visitor(let visitor) = context.authenticator.admit(request)
        else { return }
        requests.add(exchange, of: visitor, by: shown.signIn)
        nextExpiry = nextExpiry ?? context.authenticator.nextExpiry
    }
}
