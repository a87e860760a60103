import WebSockets

/// Decides who may push. A pure rule: it takes a request and gives a refusal, or nothing.
///
///     a list that takes none           403, and how to allow it
///     tokens are asked for             by the right of the token that was shown
///     a token for pushes is set        401 without it, wherever the request comes from
///     neither                          403 from another machine, or through a proxy; from this one it is open to programs,
///                                      and to pages of ours under a name that is this machine's own
struct PushAdmission: Sendable {
    let token: PushToken?

    /// Why not, and the response. No reason if the list takes no pushes at all.
    typealias Refusal = (reason: AccessRefusal?, response: HTTPResponse)

    func refusal(of request: HTTPRequest, to list: RefreshableList, by visitor: Visitor) -> Refusal? {
        guard list.acceptsPushes else { return (nil, Self.notAccepted(list.name)) }
        guard visitor.kind == .anybody else {
            guard !visitor.may(.push, list.name) else { return nil }
            return (visitor.shortcoming, .forbidden(.push, list.name, visitor))
        }
        guard let token else {
            guard request.isLocal else { return (.anonymous, Self.tokenNeeded) }
            return visitor.isOnlooker || request.isOfForeignPage ? (.anonymous, Self.ownPageNeeded) : nil
        }
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

    private static var tokenNeeded: HTTPResponse {
        .problem(
            403, "Pushes from other machines need a token. Start the server with \(SettingNames[.pushToken]).")
    }

    private static var ownPageNeeded: HTTPResponse {
        .problem(
            403,
            """
            Without a token, rows are pushed by programs of this machine and by pages of this server, to localhost, an \
            address, or a name that the server was given with \(SettingNames[.allowedHosts]). Push there, or start the \
            server with \(SettingNames[.pushToken]), and show that.
            """)
    }

    private static func unauthorised(_ advice: String, error: String? = nil) -> HTTPResponse {
        .unauthorised("Pushes need this server's token. \(advice)", error: error)
    }
}

extension HTTPRequest {
    /// Whether a program on this machine sent it, without a proxy.
    var isLocal: Bool {
        remoteAddress.isLoopback && headers["Forwarded"] == nil && headers["X-Forwarded-For"] == nil
    }

    /// Whether a browser reports that a page of another site sent it. Programs report nothing.
    fileprivate var isOfForeignPage: Bool {
        !PresentedToken.isOfNoOtherSite(headers) || headers.isOfOwnPage == false
    }
}

extension String {
    /// Whether a numeric address is this machine's, for itself.
    var isLoopback: Bool { self == "::1" || hasPrefix("127.") || hasPrefix("::ffff:127.") }
}

/// The secret that a program shows to push.
struct PushToken: Sendable {
    private let secret: [UInt8]

    /// Nil for the empty text, which is no secret.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        secret = Array(text.utf8)
    }

    /// Whether the token matches. The time this takes depends on the length of the presented one, not on the secret.
    func matches(_ shown: some StringProtocol) -> Bool {
        var difference = shown.utf8.count ^ secret.count
        for (index, byte) in shown.utf8.enumerated() {
            difference |= Int(byte ^ secret[index % secret.count])
        }
        return difference == 0
    }
}
