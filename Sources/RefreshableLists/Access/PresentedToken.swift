import WebSockets

/// The token that a request or a handshake shows: in `Authorization`, or in the cookie of a browser that signed in.
///
/// A browser adds its cookie to whatever a page of anybody's has it send. So the cookie counts only for pages of this very
/// server: where a request says which page it is of, it must be one of ours; where it does not, and could do something,
/// the cookie is left unread. `SameSite=Strict` is a second lock on the same door.
struct PresentedToken: Hashable, Sendable {
    /// One signing in of one browser, to which it is known by its cookie alone: the half that names it is random, so that
    /// two browsers with one token sign out each for itself. 64 bits of the cookie's SHA-256.
    struct SignIn: Hashable, Sendable {
        private let bits: UInt64

        /// As it is kept with what was made by it.
        var stored: Int64 { Int64(bitPattern: bits) }

        init(stored: Int64) { bits = UInt64(bitPattern: stored) }

        fileprivate init(cookie: String) {
            bits = SHA256Digest(of: cookie).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    let token: String
    /// Nil: it is not shown by a cookie.
    var signIn: SignIn?

    /// What a cookie holds: `NAME.TOKEN`, the name 32 hexadecimal digits. Of an earlier version, the token alone.
    private init(cookie: String) {
        let name = cookie.prefix(32)
        let isNamed = SessionToken(String(name)) != nil && cookie.dropFirst(32).first == "."
        token = isNamed ? String(cookie.dropFirst(33)) : cookie
        signIn = SignIn(cookie: cookie)
    }

    /// A token that is not shown by a cookie.
    init(_ token: String) { self.token = token }

    /// The value of a new cookie, unlike any other.
    static func cookie(holding token: String) -> String { "\(SessionToken.random().text).\(token)" }

    /// Where it can only be sent by TLS, a cookie has this name, which no other server of the site can set (RFC 6265bis).
    static let secureCookie = "__Host-refreshable"
    static let plainCookie = "refreshable"

    /// Nil: none is shown.
    static func of(_ request: HTTPRequest) -> PresentedToken? {
        let onlyReads = request.method == "GET" || request.method == "HEAD"
        return request.headers.bearerToken.map { PresentedToken($0) }
            ?? cookie(request.headers, isSafe: onlyReads && isOfNoOtherSite(request.headers))
    }

    /// As above, of a socket's handshake: browsers always say which page opens one (RFC 6455 §4.1).
    static func of(_ handshake: Handshake) -> PresentedToken? {
        handshake.headers.bearerToken.map { PresentedToken($0) } ?? cookie(handshake.headers, isSafe: false)
    }

    /// Whether the browser reports that no page, or one of ours, made the request; older browsers report nothing.
    static func isOfNoOtherSite(_ headers: HTTPHeaders) -> Bool {
        headers["Sec-Fetch-Site"].map { ["same-origin", "none"].contains($0.lowercased()) } ?? true
    }

    /// - Parameter isSafe: whether it counts if the browser does not report the page.
    private static func cookie(_ headers: HTTPHeaders, isSafe: Bool) -> PresentedToken? {
        guard headers.isOfOwnPage ?? isSafe else { return nil }
        let cookies = (headers["Cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        for name in [secureCookie, plainCookie] {
            if let cookie = cookies.first(where: { $0.hasPrefix("\(name)=") }) {
                return PresentedToken(cookie: String(cookie.dropFirst(name.utf8.count + 1)))
            }
        }
        return nil
    }
}
