import Testing

@testable import WebPush

@Suite struct PushSubscriptionTests {
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private func subscription(
        _ endpoint: String, publicKey: String = point, secret: String = secret, others: [String] = []
    ) throws -> PushSubscription {
        try PushSubscription(
            endpoint: endpoint, publicKey: publicKey, secret: secret, at: PushServices(others: others))
    }

    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/a:b", "https://updates.push.services.mozilla.com/wpush/v2/g",
        "https://web.push.apple.com/Q", "https://wns2-par02p.notify.windows.com/w/?token=B",
        "https://FCM.googleapis.com:443/a",
    ])
    func theServicesOfBrowsersAreKnown(endpoint: String) throws { _ = try subscription(endpoint) }

    @Test(arguments: [
        "https://example.org/", "http://fcm.googleapis.com/a", "https://fcm.googleapis.com:8443/a",
        "https://127.0.0.1/",
        "https://xfcm.googleapis.com/", "https://fcm.googleapis.com.example.org/", "https://push.apple.com.evil/",
        "https://evilpush.apple.com/",
    ])
    func othersAreNot(endpoint: String) {
        let error = #expect(throws: WebPushError.self) { try subscription(endpoint) }
        guard case .unknownService = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "", "fcm.googleapis.com", "ftp://fcm.googleapis.com/", "https://a@fcm.googleapis.com/",
        "https://fcm.googleapis.com@127.0.0.1/", "https://fcm.googleapis.com\\@127.0.0.1/",
        "https://fcm.googleapis.com /",
        "https://fcm.googleapis.com\r\nHost: a/", "https://.push.apple.com/", "https://fcm.googleapis.com:0/",
        "https://[::1]/", "https://fcm。googleapis.com/", "https://%66cm.googleapis.com/",
        "https://fcm.googleapis.com/" + String(repeating: "a", count: 2048),
    ])
    func whatIsNoPlainURLIsRefused(endpoint: String) {
        #expect(throws: WebPushError.badSubscription("endpoint is to be a URL of https, of at most 2048 bytes.")) {
            try subscription(endpoint)
        }
    }

    @Test func anOriginThatWasNamedIsAllowedAndNoOther() throws {
        let others = ["http://127.0.0.1:4711"]
        #expect(try subscription("http://127.0.0.1:4711/push/a", others: others).service == "http://127.0.0.1:4711")
        #expect(throws: WebPushError.self) { try subscription("http://127.0.0.1:4712/push/a", others: others) }
        #expect(throws: WebPushError.self) { try subscription("https://127.0.0.1:4711/push/a", others: others) }
    }

    @Test func keysHaveToBeKeys() {
        let endpoint = "https://fcm.googleapis.com/a"
        #expect(throws: WebPushError.self) { try subscription(endpoint, publicKey: "BCVx") }
        #expect(throws: WebPushError.self) { try subscription(endpoint, secret: "BTBZMqHH6r4Tts7J_aSI") }
    }
}
