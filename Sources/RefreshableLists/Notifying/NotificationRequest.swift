import KeyedLists
import ListStorage
import WebPush
import WebSockets

/// What a page asks about notifications over HTTP, as it came.
///
///     GET    /notifications                        {"key":…}: by which a browser subscribes
///     GET    /notifications/ID                     {"lists":[…]}: of which it is told
///     PUT    /lists/NAME/notifications/ID          from now on; the body is the browser's subscription
///     DELETE /lists/NAME/notifications/ID          no more
///     PUT    /lists/NAME/notifications/ID/seen     {"visible":true}: the list is on the screen
///
/// An ID is the SHA-256 of the subscription's endpoint in hexadecimal digits. So an endpoint, which is a secret, stands in no
/// address, and an ID is as hard to guess.
enum NotificationRequest {
    /// Bytes of the largest body.
    static let bodyLimit = 4096

    /// A request that is no request, and what is wrong with it.
    struct Fault: Error {
        let status: Int
        let detail: String
    }

    static func isID(_ text: String) -> Bool { SHA256Digest(hexadecimal: text)?.hexadecimal == text }

    /// Reads the body of a subscription.
    ///
    /// - Parameters:
    ///   - owner, signIn: who asks.
    ///   - site: the host of the page.
    static func subscription(
        _ body: [UInt8], id: String, list: String, owner: String, signIn: Int64?, site: String, services: PushServices
    ) throws(Fault) -> StoredSubscription {
        let members = try object(body)
        guard case .object(let keys) = members["keys"] else { throw Fault(status: 400, detail: "keys: is missing.") }
        let endpoint = try text("endpoint", in: members)
        let (publicKey, secret) = (try text("p256dh", in: keys), try text("auth", in: keys))
        guard SHA256Digest(of: endpoint).hexadecimal == id else {
            throw Fault(status: 400, detail: "The ID in the path is to be the SHA-256 of endpoint, hexadecimal.")
        }
        do throws(WebPushError) {
            _ = try PushSubscription(endpoint: endpoint, publicKey: publicKey, secret: secret, at: services)
        } catch {
            if case .unknownService = error { throw Fault(status: 422, detail: "\(error)") }
            throw Fault(status: 400, detail: "\(error)")
        }
        var language = ""
        if case .string(let text) = members["language"] { language = String(text.prefix(8)) }
        return StoredSubscription(
            id: id, list: list, endpoint: endpoint, publicKey: publicKey, secret: secret, owner: owner, signIn: signIn,
            language: language, site: site, seen: 0, told: 0)
    }

    /// Reads whether the list is on the screen.
    static func isVisible(_ body: [UInt8]) throws(Fault) -> Bool {
        guard case .bool(let isVisible) = try object(body)["visible"] else {
            throw Fault(status: 400, detail: "visible: expected true or false.")
        }
        return isVisible
    }

    private static func object(_ body: [UInt8]) throws(Fault) -> [Key: JSONValue] {
        do {
            if case .object(let members) = try JSONValue(json: body) { return members }
        } catch {
            throw Fault(status: 400, detail: "The body is not JSON: \(error)")
        }
        throw Fault(status: 400, detail: "The body is to be a JSON object.")
    }

    private static func text(_ name: Key, in members: [Key: JSONValue]) throws(Fault) -> String {
        guard case .string(let text) = members[name] else {
            throw Fault(status: 400, detail: "\(name): expected a text.")
        }
        return text
    }
}

extension HTTPResponse {
    static func problem(_ fault: NotificationRequest.Fault) -> HTTPResponse { problem(fault.status, fault.detail) }

    static func notNotifying(_ list: String) -> HTTPResponse {
        problem(
            403,
            """
            The list "\(list)" notifies nobody. Allow it with `notify: rows` in lists.yaml, or .notifies() in Swift, on a server \
            with a data folder or a database.
            """)
    }

    static let cannotKeepSubscription = unavailable("The subscription can't be kept at the moment. Ask again later.")

    static func tooManySubscriptions(_ limit: NotificationState.Limit) -> HTTPResponse {
        let whose = limit == .list ? "This list has" : "This server has"
        return problem(503, "\(whose) as many subscriptions as it takes. Ask again another day.")
    }
}
