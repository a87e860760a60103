/// A message for one browser, as it waits to be sent.
public struct PushMessage: Sendable {
    /// How soon a device is to show it, against its battery (RFC 8030 §5.3).
    public enum Urgency: String, Sendable {
        case low, normal, high
    }

    /// To whom.
    public var subscription: PushSubscription
    /// What the page's worker is told. Nobody on the way can read it. ``PushMessage/limit`` bytes at most.
    public var payload: [UInt8]
    /// Of messages with the same topic, a push service keeps the newest for a device that is not reached (RFC 8030 §5.4); and
    /// so do we. 32 characters of Base64URL at most.
    public var topic: String
    /// How long a push service is to keep it, in seconds.
    public var lifetime: Int
    /// How soon.
    public var urgency: Urgency
    /// Where a push service's owner finds us: a URL of `https:` or `mailto:` (RFC 8292 §2.1).
    public var contact: String

    /// Bytes of the largest payload.
    public static var limit: Int { MessageEncryption.limit }

    /// A message.
    public init(
        _ payload: [UInt8], to subscription: PushSubscription, topic: String, lifetime: Int,
        urgency: Urgency = .normal, contact: String
    ) {
        self.subscription = subscription
        self.payload = payload
        self.topic = topic
        self.lifetime = lifetime
        self.urgency = urgency
        self.contact = contact
    }
}

/// What is posted to a push service: a message that only its browser can read, signed for the service.
public struct EncryptedMessage: Sendable {
    /// Where to.
    public let endpoint: String
    /// All that are to be sent.
    public let headers: [String: String]
    /// Encrypted.
    public let body: [UInt8]

    /// - Parameter now: seconds since 1970.
    init(_ message: PushMessage, signedBy key: ApplicationServerKey, now: Int64) {
        endpoint = message.subscription.endpoint
        body = MessageEncryption.encrypt(message.payload, for: message.subscription.keys)
        headers = [
            "Authorization": key.authorization(for: message.subscription.service, contact: message.contact, now: now),
            "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": "\(message.lifetime)",
            "Urgency": message.urgency.rawValue, "Topic": message.topic,
        ]
    }
}

/// What a push service answered.
public enum PushAnswer: Hashable, Sendable {
    /// It will be delivered, if it can be.
    case accepted
    /// The subscription is no more (404, 410).
    case gone
    /// Not now: 429, or a fault of the service, or no answer; perhaps with the time to wait that it asked for.
    case later(after: Duration?)
    /// Never: the service will not take this message, or none of ours.
    case refused(status: Int)

    /// Of the status of an answer (RFC 8030 §5, §7.3, §8).
    public init(status: Int, retryAfter: Duration? = nil) {
        self =
            switch status {
            case 200..<300: .accepted
            case 404, 410: .gone
            case 408, 429, 500...: .later(after: retryAfter)
            default: .refused(status: status)
            }
    }
}

/// What brings a request to a push service.
public protocol PushTransport: Sendable {
    /// Posts it and waits for the answer. No redirect is followed. Throws where none came.
    func post(_ request: EncryptedMessage) async throws -> PushAnswer
}
