import WebSockets

/// Who may push. Pure: a request goes in, a refusal or nothing comes out.
///
///     a list that takes none      403, and how to allow it
///     a token is set              401 without it, wherever the request comes from
///     none is set                 403 from another machine, or through a proxy; from this one it is open
struct PushAdmission: Sendable {
    let token: PushToken?

    func refusal(of request: HTTPRequest, to list: RefreshableList) -> HTTPResponse? {
        guard list.acceptsPushes else { return Self.notAccepted(list.name) }
        guard let token else { return request.isLocal ? nil : Self.tokenNeeded }
        guard let shown = request.bearerToken else {
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

    /// RFC 6750 §3.
    private static func unauthorised(_ advice: String, error: String? = nil) -> HTTPResponse {
        var response = HTTPResponse.problem(401, "Pushes need this server's token. \(advice)")
        response.headers["WWW-Authenticate"] =
            "Bearer realm=\"refreshable\"" + (error.map { ", error=\"\($0)\"" } ?? "")
        return response
    }
}

extension HTTPRequest {
    /// Whether a program on this machine sent it, and no proxy passed it on for somebody else.
    var isLocal: Bool {
        let isLoopback =
            remoteAddress == "::1" || remoteAddress.hasPrefix("127.") || remoteAddress.hasPrefix("::ffff:127.")
        return isLoopback && headers["Forwarded"] == nil && headers["X-Forwarded-For"] == nil
    }

    /// What stands in `Authorization: Bearer …` (RFC 6750 §2.1); the name of the scheme is told in any case.
    fileprivate var bearerToken: Substring? {
        guard let value = headers["Authorization"], value.prefix(7).lowercased() == "bearer " else { return nil }
        return value.dropFirst(7).drop { $0 == " " }
    }
}
