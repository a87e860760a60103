import Testing
import WebSockets

@testable import RefreshableLists

/// Who may push: by the list, the machine and the token.
struct PushAdmissionTests {
    private static let secret = "a-secret-of-some-length"
    private let open = RefreshableList("board").acceptsPushes()

    @Test func aListTakesNoPushesUnlessItSaysSo() {
        for list in [RefreshableList("board"), open.acceptsPushes(false)] {
            let refusal = PushAdmission(token: nil).refusal(of: HTTPRequest(path: ""), to: list, by: .anybody)
            #expect(refusal?.response.status == 403)
            #expect(refusal?.response.text.contains("`push: true` in lists.yaml, or .acceptsPushes() in Swift") == true)
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", nil), ("127.8.8.8", nil), ("::1", nil), ("::ffff:127.0.0.1", nil), ("192.168.1.20", 403),
            ("1.127.0.0", 403), ("fe80::1", 403), ("", 403),
        ] as [(String, Int?)])
    func withoutATokenProgramsOnThisMachineMayPush(address: String, status: Int?) {
        let request = HTTPRequest(path: "", remoteAddress: address)

        #expect(PushAdmission(token: nil).refusal(of: request, to: open, by: .anybody)?.response.status == status)
    }

    @Test(
        arguments: [
            ([:], true), (["Sec-Fetch-Site": "none"], true), (["Sec-Fetch-Site": "same-origin", "Origin": ours], true),
            (["Origin": ours], true), (["Sec-Fetch-Site": "same-site", "Origin": ours], false),
            (["Sec-Fetch-Site": "cross-site"], false), (["Origin": "http://evil.local:8080"], false),
            (["Origin": "null"], false),
        ] as [(HTTPHeaders, Bool)])
    func withoutATokenNoPageOfAnotherSitePushes(headers: HTTPHeaders, may: Bool) {
        var request = HTTPRequest(path: "", headers: headers)
        request.headers["Host"] = "localhost:8080"

        let refusal = PushAdmission(token: nil).refusal(of: request, to: open, by: .anybody)

        #expect((refusal == nil) == may)
    }

    @Test func whoAsksUnderANameThatIsNotOursPushesWithTheTokenAlone() {
        let onlooker = Visitor.anybody.onlooker
        var request = HTTPRequest(path: "")
        #expect(PushAdmission(token: nil).refusal(of: request, to: open, by: onlooker)?.response.status == 403)

        let admission = PushAdmission(token: PushToken(Self.secret))
        #expect(admission.refusal(of: request, to: open, by: onlooker)?.response.status == 401)
        request.headers["Authorization"] = "Bearer \(Self.secret)"
        #expect(admission.refusal(of: request, to: open, by: onlooker) == nil)
    }

    private static let ours = "http://localhost:8080"

    @Test(arguments: ["X-Forwarded-For", "Forwarded"])
    func whatAProxyPassesOnIsNotFromThisMachine(header: String) {
        let request = HTTPRequest(path: "", headers: [header: "for=192.0.2.7"])

        let refusal = PushAdmission(token: nil).refusal(of: request, to: open, by: .anybody)

        #expect(refusal?.response.status == 403 && refusal?.response.text.contains("configuration.pushToken") == true)
    }

    @Test(
        arguments: [
            ("Bearer \(secret)", nil), ("bearer  \(secret)", nil),
            (nil, #"Bearer realm="refreshable""#), ("Basic \(secret)", #"Bearer realm="refreshable""#),
            ("Bearer a-secret-of-some-lengtH", #"Bearer realm="refreshable", error="invalid_token""#),
            ("Bearer \(secret)x", #"Bearer realm="refreshable", error="invalid_token""#),
            ("Bearer \(secret)\(secret)", #"Bearer realm="refreshable", error="invalid_token""#),
            ("Bearer a-secret", #"Bearer realm="refreshable", error="invalid_token""#),
            ("Bearer ", #"Bearer realm="refreshable", error="invalid_token""#),
        ] as [(String?, String?)])
    func aTokenIsAskedOfAllWhereThereIsOne(authorization: String?, challenge: String?) {
        let admission = PushAdmission(token: PushToken(Self.secret))
        for address in ["127.0.0.1", "192.168.1.20"] {
            var request = HTTPRequest(path: "", remoteAddress: address)
            request.headers["Authorization"] = authorization

            let refusal = admission.refusal(of: request, to: open, by: .anybody)

            #expect(refusal?.response.status == (challenge == nil ? nil : 401))
            #expect(refusal?.response.headers["WWW-Authenticate"] == challenge)
        }
    }

    @Test func theEmptyTextIsNoToken() {
        #expect(PushToken("") == nil)
    }
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
