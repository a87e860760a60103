import WebSockets

/// The token that a request or a handshake shows: in `Authorization`, or in the cookie of a browser that signed in.
///
/// A browser adds its cookie to whatever a page of anybody's has it send. So the cookie counts only for pages of this very
/// server: where a request says which page it is of, it must be one of ours; where it does not, and could do something,
/// the cookie is left unread. `SameSite=Strict` is a second lock on the same door.
enum ShownToken {
    /// Where it can only be sent by TLS, a cookie has this name, which no other server of the site can set (RFC 6265bis).
    static let secureCookie = "__Host-refreshable"
    static let plainCookie = "refreshable"

    /// Nil: none is shown.
    static func of(_ request: HTTPRequest) -> String? {
        let onlyReads = request.method == "GET" || request.method == "HEAD"
        return request.headers.bearerToken
            ?? cookie(request.headers, isSafe: onlyReads && isOfNoOtherSite(request.headers))
    }

    /// As above, of a socket's handshake: browsers always say which page opens one (RFC 6455 §4.1).
    static func of(_ handshake: Handshake) -> String? {
        handshake.headers.bearerToken ?? cookie(handshake.headers, isSafe: false)
    }

    /// Whether the browser says that no page, or one of ours, has it asked; older ones say nothing.
    static func isOfNoOtherSite(_ headers: HTTPHeaders) -> Bool {
        headers["Sec-Fetch-Site"].map { ["same-origin", "none"].contains($0.lowercased()) } ?? true
    }

    /// - Parameter isSafe: whether it counts where nobody says which page it is of.
    private static func cookie(_ headers: HTTPHeaders, isSafe: Bool) -> String? {
        guard headers.isOfOwnPage ?? isSafe else { return nil }
        let cookies = (headers["Cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        for name in [secureCookie, plainCookie] {
            if let cookie = cookies.first(where: { $0.hasPrefix("\(name)=") }) {
                return String(cookie.dropFirst(name.utf8.count + 1))
            }
        }
        return nil
    }
}
