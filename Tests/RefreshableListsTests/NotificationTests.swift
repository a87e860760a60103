import Foundation
import KeyedLists
import ListProtocol
import ListStorage
import Testing
import WebPush
import WebSockets

@testable import RefreshableLists

/// What a browser is told, and what it asks.
struct NotificationTests {
    private let subscription = StoredSubscription(
        id: "", list: "mail", endpoint: "", publicKey: "", secret: "", owner: "", signIn: nil, language: "de",
        site: "a.example", seen: 0, told: 0)

    private func description(title: String = "Mail", noun: Noun? = nil) -> ListDescription {
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        return ListDescription(list: "mail", title: title, refreshable: true, pull: pull, noun: noun, notify: .rows)
    }

    @Test func aMessageSaysWhatIsNewInTheFormsOfItsLanguage() {
        var noun = Noun("letter", "letters")
        noun.languages["de"] = [.one: "Brief", .other: "Briefe"]
        let notice = NotificationState.Notice(
            subscription: subscription, unread: 3, newest: Arrival.Shown(key: "k\"7", title: "Hello"))
        let payload = Notification.payload(notice, of: description(noun: noun))
        #expect(
            String(decoding: payload, as: UTF8.self) == """
                {"list":"mail","title":"Mail","count":3,"noun":{"one":"Brief","other":"Briefe"},\
                "row":{"key":"k\\"7","title":"Hello"}}
                """)
    }

    @Test(arguments: ["a", "\u{1}", "é", "😀"])
    func noMessageIsLargerThanAPushServiceTakes(character: String) {
        let long = String(repeating: character, count: 10_000)
        let forms = Dictionary(uniqueKeysWithValues: Noun.Form.allCases.map { ($0, String(long.prefix(64))) })
        let notice = NotificationState.Notice(
            subscription: subscription, unread: 1, newest: Arrival.Shown(key: String(long.prefix(256)), title: long))
        let payload = Notification.payload(notice, of: description(title: long, noun: Noun(forms: forms)))
        #expect(payload.count <= PushMessage.limit)
    }

    @Test func aTopicNamesAListToNobody() {
        #expect(Notification.topic(of: "mail").utf8.count == 32)
        #expect(Notification.topic(of: "mail") != Notification.topic(of: "news"))
    }

    @Test func whoMadeASubscriptionHasToHaveTheRightStill() throws {
        let clock = SettableClock()
        let secret = "the-kitchen-has-this-one"
        let token = AccessToken(
            "kitchen", secret: secret, rights: ["mail": [.read]], expiresAt: Date(milliseconds: clock.now.date + 1000))
        let authenticator = Authenticator(.tokens([token], anonymous: ["news": [.read]]), clock: clock)
        var kitchens = subscription
        kitchens.owner = SHA256Digest(of: secret).hexadecimal
        var salaries = kitchens
        salaries.list = "salaries"
        var anybodys = subscription
        anybodys.list = "news"
        #expect(authenticator.allows(kitchens) && authenticator.allows(anybodys))
        #expect(!authenticator.allows(subscription) && !authenticator.allows(salaries))
        clock.date += 1000
        #expect(!authenticator.allows(kitchens), "expired")
        authenticator.change(to: .open)
        #expect(!authenticator.allows(kitchens) && authenticator.allows(subscription))
    }

    @Test(arguments: [
        ("/notifications", Endpoint.notifications(nil)), ("/notifications/\(id)", .notifications(id)),
        ("/notifications/abc", .other), ("/notifications/\(id.uppercased())", .other),
        ("/lists/a/notifications/\(id)", .subscription(list: "a", id, isSeen: false)),
        ("/lists/a/notifications/\(id)/seen", .subscription(list: "a", id, isSeen: true)),
        ("/lists/a/notifications/\(id)/else", .other), ("/lists/a/notifications", .other),
        ("/lists/a/rows/notifications/\(id)", .row(list: "a", Key("notifications/\(id)"))),
    ])
    func anAddressNamesASubscription(path: String, endpoint: Endpoint) {
        #expect(Endpoint(HTTPRequest(path: path)) == endpoint)
    }

    private static let id = SHA256Digest(of: "https://push.example.net/a").hexadecimal
}
