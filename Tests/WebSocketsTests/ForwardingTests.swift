import Testing

@testable import WebSockets

/// What proxies say of whoever asks, and who is believed.
struct ForwardingTests {
    private static let proxies = ["10.0.0.0/8", "::1"].compactMap { AddressBlock($0) }

    @Test(
        arguments: [
            (["X-Forwarded-For": "203.0.113.9"], "203.0.113.9"),
            (["X-Forwarded-For": "127.0.0.1, 203.0.113.9"], "203.0.113.9"),
            (["X-Forwarded-For": "127.0.0.1, 203.0.113.9, 10.1.1.1"], "203.0.113.9"),
            (["X-Forwarded-For": "203.0.113.9:4711"], "203.0.113.9"),
            (["X-Forwarded-For": "[2001:db8::7]:4711"], "2001:db8::7"),
            (["X-Forwarded-For": "2001:db8::7"], "2001:db8::7"),
            (["X-Forwarded-For": "127.0.0.1, unknown, 10.1.1.1"], "10.1.1.1"),
            (["X-Forwarded-For": "127.0.0.1, 0.0.0.0/0"], "10.0.0.2"),
            (["X-Forwarded-For": ""], "10.0.0.2"), ([:], "10.0.0.2"),
            (["Forwarded": "for=127.0.0.1, for=203.0.113.9;proto=https"], "203.0.113.9"),
            (["Forwarded": "for=\"[2001:db8::7]:4711\""], "2001:db8::7"),
            (["Forwarded": "for=127.0.0.1, for=_hidden"], "10.0.0.2"),
            (["Forwarded": "for=127.0.0.1", "X-Forwarded-For": "203.0.113.9"], "203.0.113.9"),
            (["Forwarded": "for=127.0.0.1", "X-Forwarded-Proto": "https"], "10.0.0.2"),
        ] as [(HTTPHeaders, String)])
    func whoAsksIsTheLastThatIsNoProxyOfOurs(fields: HTTPHeaders, address: String) {
        var headers = fields
        #expect(forwarding.caller(&headers, from: "10.0.0.2", isSecure: false).address == address)
    }

    @Test(arguments: ["203.0.113.9", "127.0.0.1", "11.0.0.1", "unknown"])
    func whoIsNoProxyOfOursIsNotBelieved(peer: String) {
        var headers: HTTPHeaders = [
            "Host": "ours.example", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "evil.example", "Forwarded": "for=127.0.0.1;host=evil.example;proto=https",
        ]
        let caller = forwarding.caller(&headers, from: peer, isSecure: false)
        #expect(caller == .init(address: peer, isSecure: false) && headers["Host"] == "ours.example")
    }

    @Test func withoutProxiesNobodyIs() {
        var headers: HTTPHeaders = ["X-Forwarded-For": "203.0.113.9"]
        #expect(Forwarding(proxies: []).caller(&headers, from: "10.0.0.2", isSecure: true).address == "10.0.0.2")
    }

    @Test(
        arguments: [
            (["X-Forwarded-Proto": "https", "X-Forwarded-Host": "a.example"], true, "a.example"),
            (
                ["X-Forwarded-Proto": "HTTPS", "X-Forwarded-Host": "evil.example, a.example:8443"], true,
                "a.example:8443"
            ),
            (["X-Forwarded-Proto": "http"], false, "inside"), ([:], false, "inside"),
            (["Forwarded": "for=1.2.3.4;host=\"a.example:8443\";proto=https"], true, "a.example:8443"),
        ] as [(HTTPHeaders, Bool, String)])
    func theNearestProxySaysByWhichNameAndHow(fields: HTTPHeaders, isSecure: Bool, host: String) {
        var headers = fields
        headers["Host"] = "inside"
        let caller = forwarding.caller(&headers, from: "10.0.0.2", isSecure: false)
        #expect(caller.isSecure == isSecure && headers["Host"] == host)
    }

    private let forwarding = Forwarding(proxies: Self.proxies)
}
