import ListProtocol
import WebSockets

/// Authenticates the client of a session, and ends what it may no longer do.
extension Session {
    /// Looks at the token of a `hello`.
    ///
    /// - Returns: Whether the conversation goes on.
    func isAdmitted(_ shown: String?, _ id: String?) -> Bool {
        guard let shown else { return true }
        switch context.authenticator.admit(PresentedToken(shown), from: socket.handshake.remoteAddress) {
        case .visitor(let visitor):
            // Where tokens mean nothing, they stay who they are; else the cookie by which they came has no say any more.
            guard visitor.digest != nil else { return true }
            signIn = nil
            become(visitor)
            return true
        case .tooManyGuesses(let wait):
            refuse(id, .rateLimited, Authenticator.tooMany(wait), after: Int(wait))
        case .wrong: sendAway(id, Authenticator.wrong)
        case .expired: sendAway(id, Authenticator.expired)
        case .signedOut: sendAway(id, Authenticator.signedOut)
        }
        return false
    }

    /// Tokens have changed, one has expired, or a browser has signed out.
    func look() {
        let validity = context.authenticator.validity(of: visitor, by: signIn)
        if case .stays(let visitor) = validity { return become(visitor) }
        // Nothing more is sent, however long the connection takes to end.
        leaveAll()
        if case .expired = validity {
            answer(
                .goodbye(code: .tokenExpired, message: Authenticator.ended, reconnect: true, after: 0...Self.haste))
            close(.tokenExpired, Authenticator.ended)
        } else {
            close(.unauthorised, validity.reason ?? "")
        }
    }

    /// What is not there, or must seem so.
    func refuseUnknown(_ id: String?, _ name: String) {
        if visitor.isStranger { context.authenticator.count(.anonymous) }
        refuse(id, visitor.isStranger ? .unauthorised : .unknownList, visitor.unknown(name))
    }

    /// Whether they may do this with a list that they know; if not, they get an error.
    func may(_ right: AccessRight, _ name: String, _ id: String?) -> Bool {
        if visitor.may(right, name) { return true }
        context.authenticator.count(visitor)
        refuse(id, visitor.isStranger ? .unauthorised : .forbidden, visitor.forbidden(right, name))
        return false
    }

    /// Who can do nothing here has a while to show a token.
    func waitForToken() {
        _ = place.loop.schedule(after: Self.patienceForToken) { [weak place, id = socket.id] in
            place?.post { loopSessions in loopSessions.sessions[id]?.closeIfNobody() }
        }
    }

    private func closeIfNobody() {
        guard visitor.isNobody else { return }
        context.authenticator.count(.anonymous)
        close(.unauthorised, "Show a token: sign in, or send it in a hello.")
    }

    private func sendAway(_ id: String?, _ reason: String) {
        refuse(id, .unauthorised, reason)
        close(.unauthorised, reason)
    }

    private static let patienceForToken = Duration.seconds(10)
    /// A client whose token has expired may reconnect at once with a newer one. In milliseconds.
    private static let haste = 2000
}

extension Authenticator {
    static let ended = "The token has expired. Come back with a newer one."
}

/// Requests that wait for their answer and showed a token: for the end of a refresh, or for the first rows. On one loop alone.
struct OpenRequests {
    private struct Entry {
        weak var exchange: HTTPExchange?
        let visitor: Visitor
        let signIn: PresentedToken.SignIn?

        var isWaiting: Bool { exchange?.isWaiting ?? false }
    }

    private var entries: [Entry] = []
    /// How many there may be before those that were answered are left out.
    private var room = 64

    /// When the waiting of somebody whom another server knows ends.
    var identityExpiries: [Int64] { entries.compactMap(\.visitor.identityExpiry) }

    mutating func add(_ exchange: HTTPExchange, of visitor: Visitor, by signIn: PresentedToken.SignIn?) {
        if entries.count >= room {
            entries.removeAll { !$0.isWaiting }
            room = max(64, entries.count * 2)
        }
        entries.append(Entry(exchange: exchange, visitor: visitor, signIn: signIn))
    }

    /// Disconnects clients without a right. Their pending requests are dropped.
    mutating func look(_ authenticator: Authenticator) {
        entries.removeAll { entry in
            guard let exchange = entry.exchange, exchange.isWaiting else { return true }
            guard let reason = authenticator.validity(of: entry.visitor, by: entry.signIn).reason else { return false }
            exchange.refuse(.unauthorised(reason, error: "invalid_token"))
            return true
        }
    }
}

extension Authenticator.Validity {
    /// Why they may stay no longer; nil: they may.
    var reason: String? {
        switch self {
        case .stays: nil
        case .expired: Authenticator.expired
        case .gone: Authenticator.gone
        case .signedOut: Authenticator.signedOut
        }
    }
}
