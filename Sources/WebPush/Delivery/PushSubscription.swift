/// What a browser gives a page that may notify its person: where messages are to be sent, and for whose eyes.
///
/// The endpoint is a secret: who knows it, and has the server's key, may send. It is not logged.
public struct PushSubscription: Hashable, Sendable {
    /// For whom messages are encrypted (RFC 8291 §3.1).
    public struct Keys: Hashable, Sendable {
        /// `p256dh`.
        public let publicKey: P256Key
        /// `auth`: 16 bytes.
        public let secret: [UInt8]

        /// Whether both are of the same bytes.
        public static func == (one: Keys, other: Keys) -> Bool {
            one.publicKey.publicKey == other.publicKey.publicKey && one.secret == other.secret
        }

        /// Feeds the bytes.
        public func hash(into hasher: inout Hasher) { hasher.combine(secret) }
    }

    /// Bytes of the longest endpoint. Those of today's services have 200 to 700.
    public static let endpointLimit = 2048

    /// A URL of the push service.
    public let endpoint: String
    /// The service's origin, as in `https://push.example.net`.
    public let service: String
    /// For whom.
    public let keys: Keys

    /// A subscription as a browser has it: what `PushSubscription.toJSON()` gives (Push API §8).
    ///
    /// - Parameters:
    ///   - publicKey, secret: Base64URL, as `keys.p256dh` and `keys.auth`.
    ///   - services: to which messages may be sent.
    public init(
        endpoint: String, publicKey: String, secret: String, at services: PushServices
    ) throws(WebPushError) {
        guard endpoint.utf8.count <= Self.endpointLimit, let origin = Origin(of: endpoint) else {
            throw .badSubscription("endpoint is to be a URL of https, of at most \(Self.endpointLimit) bytes.")
        }
        guard services.allow(origin) else { throw .unknownService(origin.text) }
        guard let point = Base64URL.bytes(publicKey).flatMap(P256Key.init(publicKey:)) else {
            throw .badSubscription("keys.p256dh is to be 65 bytes in Base64URL, a point on P-256.")
        }
        guard let secret = Base64URL.bytes(secret), secret.count == 16 else {
            throw .badSubscription("keys.auth is to be 16 bytes in Base64URL.")
        }
        self.endpoint = endpoint
        service = origin.text
        keys = Keys(publicKey: point, secret: secret)
    }
}

/// Which push services messages may be sent to. A stranger gives us an endpoint, and we ask it: it must not be anybody's.
public struct PushServices: Hashable, Sendable {
    /// Hosts of the services of Chrome and Edge, Firefox, Safari, and Edge on Windows; a dot stands for any host below.
    static let known = [
        "fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com",
    ]

    private let others: Set<String>

    /// - Parameter others: origins of further services, as in `https://push.example.net`; `http:` is allowed for these.
    public init(others: [String] = []) {
        self.others = Set(others.compactMap { Origin(of: $0)?.text })
    }

    /// Whether a text can stand among `others`.
    public static func isOrigin(_ text: String) -> Bool { Origin(of: text).map { $0.text == text } ?? false }

    func allow(_ origin: Origin) -> Bool {
        if others.contains(origin.text) { return true }
        guard origin.scheme == "https", origin.port == nil else { return false }
        return Self.known.contains { $0.hasPrefix(".") ? origin.host.hasSuffix($0) : origin.host == $0 }
    }
}

/// Scheme, host and port of a URL (RFC 6454). Pure, and stricter than any parser of URLs that follows: what it takes for a
/// host can be nothing else.
struct Origin: Hashable {
    let scheme: String
    let host: String
    /// Nil: the scheme's own.
    let port: Int?

    var text: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// Nil unless the text is a URL of `http` or `https` without a user: letters, digits, dots and hyphens, perhaps a port,
    /// and then a path or nothing. No space, no character beyond ASCII, no backslash, which some parsers take for a slash.
    init?(of url: String) {
        let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        guard isPlain, let scheme = ["https", "http"].first(where: { url.hasPrefix("\($0)://") }) else { return nil }
        let authority = url.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, host.first != ".", host.utf8.allSatisfy(Self.isOfHost) else {
            return nil
        }
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(parts[1]),
                (1...65_535).contains(port)
            else { return nil }
            self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
        } else {
            port = nil
        }
        self.scheme = scheme
        self.host = host.lowercased()
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}
