import WebSockets

/// What makes a request safe to send again: the first half of the SHA-256 of who asks and what they call it, so that a key
/// takes sixteen bytes however long it is, and the keys of two visitors are two.
struct IdempotencyKey: Hashable, Sendable {
    /// The longest key of a client, in bytes of UTF-8.
    static let longest = 256

    private let halves: (UInt64, UInt64)

    /// A client's own key.
    init(_ key: String, of visitor: Owner) {
        switch visitor {
        case .session(let token): self.init(digestOf: "session\0\(token)\0\(key)")
        case .token(let token): self.init(digestOf: "token\0\(token)\0\(key)")
        case .address(let address): self.init(digestOf: "address\0\(address)\0\(key)")
        }
    }

    /// A gesture asks once, however often its release is sent.
    init(gesture: Int, of session: String) { self.init(digestOf: "gesture\0\(session)\0\(gesture)") }

    private init(digestOf text: String) {
        halves = SHA256Digest(of: text).bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Whose keys are told apart from others'.
    enum Owner {
        /// A socket's, which outlives its connection.
        case session(String)
        /// Whoever shows this token over HTTP, from wherever.
        case token(String)
        /// Who shows none.
        case address(String)

        init(_ request: HTTPRequest) {
            self = PresentedToken.of(request).map { .token($0.token) } ?? .address(request.remoteAddress)
        }
    }

    static func == (one: IdempotencyKey, other: IdempotencyKey) -> Bool { one.halves == other.halves }

    func hash(into hasher: inout Hasher) { hasher.combine(halves.0) }
}

extension IdempotencyKey {
    /// What the `Idempotency-Key` of a request comes to; nil: it has none.
    ///
    /// - Throws: a key that is too long.
    init?(_ request: HTTPRequest) throws(TooLong) {
        guard let key = request.headers["Idempotency-Key"] else { return nil }
        guard key.utf8.count <= Self.longest else { throw TooLong(bytes: key.utf8.count) }
        self.init(key, of: Owner(request))
    }

    struct TooLong: Error {
        let bytes: Int

        var response: HTTPResponse {
            .problem(
                400, "The Idempotency-Key has \(bytes) bytes; at most \(IdempotencyKey.longest) are taken. A UUID does."
            )
        }
    }
}
