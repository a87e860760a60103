import WebSockets

/// How a person with a browser shows a token: on a page of its own, which needs no script. The token is then in a cookie
/// that no script can read, and which the browser sends to nobody else. Each signing in has a cookie of its own, so that
/// signing out ends what was opened with it, and nothing else.
struct SignIn: Sendable {
    let authenticator: Authenticator
    let clock: any ListClock

    /// Days for which a browser keeps a token that does not expire; it is asked for again then.
    private static let days: Int64 = 90

    /// Bytes of a form with a token, which has 1024 at most.
    static let formLimit = 4096

    /// Nil: the request is about something else.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard authenticator.asksForTokens else { return nil }
        switch (request.path, request.method) {
        case ("/", "GET"), ("/", "HEAD"), ("/index.html", "GET"), ("/index.html", "HEAD"):
            return signInUnlessVisitor(request)
        case ("/sign-in.css", "GET"), ("/sign-in.css", "HEAD"): return SignInPage.style
        case ("/signed-out.js", "GET"), ("/signed-out.js", "HEAD"): return SignInPage.script
        case ("/sign-in", "GET"), ("/sign-in", "HEAD"): return page(request)
        case ("/sign-in", "POST"): return signIn(request)
        case ("/sign-out", "POST"): return signOut(request)
        case ("/sign-in", _), ("/sign-in.css", _), ("/signed-out.js", _): return .notAllowed(request, "GET, HEAD, POST")
        case ("/sign-out", _): return .notAllowed(request, "POST")
        default: return nil
        }
    }

    /// Who can see nothing of the page is led to the form.
    private func signInUnlessVisitor(_ request: HTTPRequest) -> HTTPResponse? {
        if case .visitor(let visitor) = authenticator.admit(request), !visitor.isNobody { return nil }
        // Coming by a link on another site, a browser does not show its cookie: it is asked again, by a page of ours.
        return PresentedToken.isOfNoOtherSite(request.headers) ? .seeOther("sign-in") : SignInPage.detour
    }

    private func page(_ request: HTTPRequest) -> HTTPResponse {
        guard case .visitor(let visitor) = authenticator.admit(request), case .holder(let name, _) = visitor.kind else {
            // Only from here: a link of another site signs nobody out.
            let hasSignedOut = request.query == "out" && PresentedToken.isOfNoOtherSite(request.headers)
            return SignInPage(of: request).form(status: 200, fault: nil, hasSignedOut: hasSignedOut)
        }
        return request.query == "back" ? .seeOther("./") : SignInPage(of: request).signedIn(name)
    }

    private func signIn(_ request: HTTPRequest) -> HTTPResponse {
        let page = SignInPage(of: request)
        guard request.headers.isOfOwnPage == true else { return page.form(status: 403, fault: page.words.elsewhere) }
        let shown = FormFields(request.body)["token"] ?? ""
        switch authenticator.admit(PresentedToken(shown), from: request.remoteAddress) {
        case .visitor(let visitor): return welcome(visitor, shown, request)
        case .wrong: return page.form(status: 401, fault: page.words.wrong)
        case .expired: return page.form(status: 401, fault: page.words.expired)
        case .signedOut: return page.form(status: 401, fault: nil)
        case .tooManyGuesses(let wait):
            let fault = page.words.tooMany.replacing("#", with: "\((wait + 999) / 1000)")
            return page.form(status: 429, fault: fault)
        }
    }

    private func welcome(_ visitor: Visitor, _ token: String, _ request: HTTPRequest) -> HTTPResponse {
        let seconds = visitor.expiresAt.map { max(0, $0 - clock.now.date) / 1000 } ?? Self.days * 86_400
        end(request)
        var response = HTTPResponse.seeOther("./")
        let cookie = Self.cookie(PresentedToken.cookie(holding: token), seconds: seconds, request)
        response.headers.add("Set-Cookie", cookie)
        return response
    }

    /// What the browser kept of lists goes, too, and so do its sockets.
    private func signOut(_ request: HTTPRequest) -> HTTPResponse {
        let page = SignInPage(of: request)
        guard request.headers.isOfOwnPage == true else { return page.form(status: 403, fault: page.words.elsewhere) }
        end(request)
        var response = HTTPResponse.seeOther("sign-in?out")
        response.headers.add("Set-Cookie", Self.cookie("", seconds: 0, request))
        response.headers.add("Clear-Site-Data", "\"cache\", \"storage\"")
        return response
    }

    /// Nobody is signed in any more by the cookie that comes with a request.
    private func end(_ request: HTTPRequest) {
        guard let signIn = PresentedToken.of(request)?.signIn, case .visitor = authenticator.admit(request) else {
            return
        }
        authenticator.signOut(signIn)
    }

    private static func cookie(_ value: String, seconds: Int64, _ request: HTTPRequest) -> String {
        let name = request.isSecure ? PresentedToken.secureCookie : PresentedToken.plainCookie
        let secure = request.isSecure ? "; Secure" : ""
        return "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
    }
}

extension HTTPResponse {
    /// - Parameter place: relative to the address that was asked for, so that it holds below any path of a proxy.
    fileprivate static func seeOther(_ place: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: ["Location": place, "Cache-Control": "no-store"])
    }
}

/// The fields of a form as a browser sends it (application/x-www-form-urlencoded, in the URL standard).
struct FormFields {
    private let fields: [String: [String]]

    init(_ body: [UInt8]) {
        var fields: [String: [String]] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0])
            fields[name, default: []].append(parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        self.fields = fields
    }

    /// The first of that name.
    subscript(name: String) -> String? { fields[name]?.first }

    /// All of that name.
    func all(_ name: String) -> [String] { fields[name] ?? [] }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
