import Foundation
import KeyedLists
import Testing
import WebSockets

@testable import RefreshableLists

/// How a browser shows a token: the page, the cookie, and the pages for which it counts.
struct SignInTests {
    private static let secret = "a-secret-of-some-length"
    private static let ours = "http://lists.example:8080"
    private let authenticator = Authenticator(
        .tokens([AccessToken("kitchen", secret: secret, rights: ["*": [.read]])]), clock: SystemClock())
    private var signIn: SignIn { SignIn(authenticator: authenticator, clock: SystemClock()) }

    @Test func whoMaySeeNothingIsLedToTheForm() {
        let response = signIn.response(to: request("GET", "/"))
        #expect(response?.status == 303 && response?.headers["Location"] == "sign-in")
        let form = signIn.response(to: request("GET", "/sign-in"))
        #expect(form?.status == 200 && form?.text.contains("<label for=\"token\">") == true)
        #expect(form?.headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(signIn.response(to: request("GET", "/refreshable-list.js")) == nil)
    }

    @Test(arguments: [false, true])
    func aRightTokenIsKeptInACookieThatNoScriptReads(isSecure: Bool) throws {
        var request = request("POST", "/sign-in", body: "token=\(Self.secret)", origin: Self.ours)
        request.isSecure = isSecure
        let response = try #require(signIn.response(to: request))

        let cookie = try #require(response.headers["Set-Cookie"])
        #expect(response.status == 303 && response.headers["Location"] == "./")
        let held = try #require(cookie.split(separator: ";").first).split(separator: "=")
        #expect(held.first == (isSecure ? "__Host-refreshable" : "refreshable"))
        #expect(held.last?.hasSuffix(".\(Self.secret)") == true && cookie.contains("; Path=/; "))
        #expect(cookie.contains("; HttpOnly; SameSite=Strict") && cookie.hasSuffix("; Secure") == isSecure)
    }

    @Test(arguments: [(5 * 60_000, 300), (nil, 90 * 86_400)] as [(Int64?, Int)])
    func aBrowserKeepsATokenForAsLongAsItIsWorthSomething(milliseconds: Int64?, seconds: Int) throws {
        let clock = SettableClock()
        let token = AccessToken(
            "kitchen", secret: Self.secret, rights: ["*": [.read]],
            expiresAt: milliseconds.map { Date(milliseconds: clock.date + $0) })
        let signIn = SignIn(authenticator: Authenticator(.tokens([token]), clock: clock), clock: clock)
        let request = request("POST", "/sign-in", body: "token=\(Self.secret)", origin: Self.ours)
        let cookie = try #require(signIn.response(to: request)?.headers["Set-Cookie"])
        #expect(cookie.contains("; Max-Age=\(seconds);"), "\(cookie)")
    }

    @Test func aWrongTokenIsToldOnThePage() {
        let request = request("POST", "/sign-in", body: "token=%3Cscript%3E", origin: Self.ours)
        let response = signIn.response(to: request)
        #expect(response?.status == 401 && response?.text.contains("role=\"alert\"") == true)
        #expect(response?.headers["Set-Cookie"] == nil && response?.text.contains("<script>") == false)
    }

    @Test func whoIsSignedInIsToldByWhichNameAndCanSignOut() {
        var asked = request("GET", "/sign-in")
        asked.headers["Cookie"] = "a=b; refreshable=\(Self.secret)"
        #expect(signIn.response(to: asked)?.text.contains("<strong><bdi>kitchen</bdi></strong>") == true)
        let response = signIn.response(to: request("POST", "/sign-out", origin: Self.ours))
        #expect(response?.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(response?.headers["Clear-Site-Data"] == "\"cache\", \"storage\"")
    }

    @Test(arguments: [nil, "null", "http://evil.example", "http://lists.example", "https://lists.example:8080"])
    func onlyPagesOfTheServerSignInAndOut(origin: String?) {
        for path in ["/sign-in", "/sign-out"] {
            let request = request("POST", path, body: "token=\(Self.secret)", origin: origin)
            let response = signIn.response(to: request)
            // By another scheme it is the same host and port: TLS may end at a proxy.
            let isOurs = origin == "https://lists.example:8080"
            #expect((response?.headers["Set-Cookie"] != nil) == isOurs)
        }
    }

    @Test func whereNoTokensAreAskedForThereIsNothingToSignInTo() {
        let open = SignIn(authenticator: Authenticator(.open, clock: SystemClock()), clock: SystemClock())
        for path in ["/", "/sign-in", "/sign-out", "/sign-in.css"] {
            #expect(open.response(to: request("GET", path)) == nil)
        }
    }

    @Test func aLinkOnAnotherSiteLeadsInAllTheSame() {
        var asked = request("GET", "/")
        asked.headers["Sec-Fetch-Site"] = "cross-site"
        #expect(signIn.response(to: asked)?.text.contains("url=sign-in?back") == true)
        asked = HTTPRequest(
            path: "/sign-in", query: "back",
            headers: [
                "Host": "lists.example:8080", "Cookie": "refreshable=\(Self.secret)", "Sec-Fetch-Site": "same-origin",
            ])
        #expect(signIn.response(to: asked)?.headers["Location"] == "./")
    }

    @Test(
        arguments: [
            ("GET", [:], true), ("GET", ["Sec-Fetch-Site": "same-origin"], true),
            ("GET", ["Sec-Fetch-Site": "none"], true),
            ("GET", ["Sec-Fetch-Site": "same-site"], false), ("GET", ["Sec-Fetch-Site": "cross-site"], false),
            ("GET", ["Origin": ours], true), ("GET", ["Origin": "http://evil.example"], false),
            ("POST", [:], false), ("POST", ["Origin": ours], true), ("PATCH", ["Origin": "null"], false),
            ("DELETE", ["Sec-Fetch-Site": "same-origin"], false),
        ] as [(String, HTTPHeaders, Bool)])
    func aCookieCountsForPagesOfTheServerAlone(method: String, headers: HTTPHeaders, counts: Bool) {
        var request = request(method, "/lists/fruit")
        for field in headers.fields { request.headers.add(field.name, field.value) }
        request.headers["Cookie"] = "refreshable=\(Self.secret)"
        #expect((PresentedToken.of(request)?.token == Self.secret) == counts)
        request.headers["Authorization"] = "Bearer another"
        #expect(PresentedToken.of(request)?.token == "another")
    }

    @Test func aCookieThatAnotherServerOfTheHostMayHaveSetCountsLast() {
        var request = request("GET", "/lists/fruit")
        request.headers["Cookie"] = "refreshable=planted; __Host-refreshable=\(Self.secret)"
        #expect(PresentedToken.of(request)?.token == Self.secret)
    }

    @Test(
        arguments: [
            ("token=a%2Bb+c%zz&x", "a+b c%zz"), ("x=1&token=%E2%9C%93&token=2", "✓"), ("token", ""), ("", nil),
            ("token=%4", "%4"), ("&&=&token==", "="),
        ] as [(String, String?)])
    func aFormIsReadAsBrowsersWriteIt(body: String, token: String?) {
        #expect(FormFields(Array(body.utf8))["token"] == token)
    }

    private func request(
        _ method: String, _ path: String, body: String = "", origin: String? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method: method, path: path, headers: ["Host": "lists.example:8080"], body: Array(body.utf8))
        request.headers["Origin"] = origin
        return request
    }
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
