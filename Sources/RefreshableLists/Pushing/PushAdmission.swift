import WebSockets

/// Who may push. Pure: a request goes in, a refusal or nothing comes out.
///
///     a list that takes none           403, and how to allow it
///     tokens are asked for             by the right of the token that was shown
///     a token for pushes is set        401 without it, wherever the request comes from
///     neither                          403 from another machine, or through a proxy; from this one it is open
struct PushAdmission: Sendable {
    let token: PushToken?

    func refusal(of request: HTTPRequest, to list: RefreshableList, by visitor: Visitor) -> HTTPResponse? {
        guard list.acceptsPushes else { return Self.notAccepted(list.name) }
        guard visitor.kind == .anybody else {
            return visitor.may(.push, list.name) ? nil : .forbidden(.push, list.name, visitor)
        }
        guard let token else { return request.isLocal ? nil : Self.tokenNeeded }
        guard let shown = request.headers.bearerToken else {
            return Self.unauthorised("Send it as \"Authorization: Bearer TOKEN\".")
        }
        return token.matches(shown) ? nil : Self.unauthorised("The one that came is another.", error: "invalid_token")
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
