import WebSockets

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

    mutating func add(_ exchange: HTTPExchange, of visitor: Visitor, by signIn: PresentedToken.SignIn?) {
        if entries.count >= room {
            entries.removeAll { !$0.isWaiting }
            room = max(64, entries.count * 2)
        }
        entries.append(Entry(exchange: exchange, visitor: visitor, signIn: signIn))
    }

    /// Refuses those who may ask no more. What they waited for goes nowhere.
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
