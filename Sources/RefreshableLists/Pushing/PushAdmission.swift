import WebSockets

/// Who may push. Pure: a request goes in, a refusal or nothing comes out.
///
///     a list that takes none           403, and how to allow it
///     tokens are asked for             by the right of the token that was shown
///     a token for pushes is set        401 without it, wherever the request comes from
///     neither                          403 from another machine, or through a proxy; from this one it is open
struct PushAdmission: Sendable {
    let token: PushToken?

    /// Why not, and what is answered. No reason where the list takes no pushes, whoever asks.
    typealias Refusal = (reason: AccessRefusal?, response: HTTPResponse)

    func refusal(of request: HTTPRequest, to list: RefreshableList, by visitor: Visitor) -> Refusal? {
        guard list.acceptsPushes else { return (nil, Self.notAccepted(list.name)) }
        guard visitor.kind == .anybody else {
            guard !visitor.may(.push, list.name) else { return nil }
            return (visitor.shortcoming, .forbidden(.push, list.name, visitor))
        }
        guard let token else { return request.isLocal ? nil : (.anonymous, Self.tokenNeeded) }
        guard let shown = request.headers.bearerToken else {
            return (.anonymous, Self.unauthorised("Send it as \"Authorization: Bearer TOKEN\"."))
        }
        guard !token.matches(shown) else { return nil }
        return (.token, Self.unauthorised("The one that came is another.", error: "invalid_token"))
    }

    /// What is shown for a push where nobody but who pushes shows a token, and whether it is that; nil: nothing, or another
    /// has looked at it.
    func shown(by visitor: Visitor, _ request: HTTPRequest) -> (token: String, isRight: Bool)? {
        guard visitor.kind == .anybody, let token, let shown = request.headers.bearerToken else { return nil }
        return (shown, token.matches(shown))
    }

    private static func notAccepted(_ name: String) -> HTTPResponse {
        .problem(
            403,
            "The list \"\(name)\" takes no pushes. Allow them with `push: true` in lists.yaml, or .acceptsPushes() in Swift."
        )
    }

    private static let tokenNeeded = HTTPResponse.problem(
        403,
        "Pushes from other machines need a token. Start the server with --push-token, REFRESHABLE_PUSH_TOKEN, or "
            + "pushToken in Swift.")

    private static func unauthorised(_ advice: String, error: String? = nil) -> HTTPResponse {
        .unauthorised("Pushes need this server's token. \(advice)", error: error)
    }
}

extension HTTPRequest {
    /// Whether a program on this machine sent it, and no proxy passed it on for somebody else.
    var isLocal: Bool {
        let isLoopback =
            remoteAddress == "::1" || remoteAddress.hasPrefix("127.") || remoteAddress.hasPrefix("::ffff:127.")
        return isLoopback && headers["Forwarded"] == nil && headers["X-Forwarded-For"] == nil
    }
}
