import DequeModule
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

    /// A request to act on a row of a list. The key is random, so it is one request from whatever session it comes: also from
    /// one after the server's end.
    init(action key: String) { self.init(digestOf: "act\0\(key)") }

    /// A key that was stored; nil: it was not.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        halves = bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// For the store.
    var bytes: [UInt8] { withUnsafeBytes(of: halves) { Array($0) } }

    private init(digestOf text: String) {
        halves = SHA256Digest(of: text).bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The owner of keys, which keeps them apart from others'.
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
                400,
                "The Idempotency-Key has \(bytes) bytes; at most \(IdempotencyKey.longest) are allowed. A UUID is enough."
            )
        }
    }
}

/// What was answered within the last ten minutes, by key, so that what is sent again is not done again.
///
/// Of more than fit, and of more than other lists leave of what all may keep (`MemoryShare`), the oldest are forgotten. What
/// has become too old is to be dropped at `nextExpiry`, whether anybody asks or not: then its memory is free again.
struct IdempotencyCache<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// How long a key is remembered, in milliseconds.
    private static var age: Int64 { 10 * 60 * 1000 }

    /// The number of keys that a list may always keep.
    private static var least: Int { 64 }

    private let capacity: Int
    private let part: MemoryShare.Part
    private var answers: [Key: (answer: Answer, time: Int64)] = [:]
    /// Keys in order of time.
    private var order = Deque<Key>()

    /// - Parameters:
    ///   - share: keys that all lists may keep.
    ///   - capacity: how many keys are remembered: at a hundred a second, all of ten minutes.
    init(of share: MemoryShare, capacity: Int = 65_536) {
        part = MemoryShare.Part(of: share)
        self.capacity = capacity
    }

    /// How many are kept; some may be too old to be given again.
    var count: Int { answers.count }

    /// When the oldest is to be dropped (uptime); nil where there is none.
    var nextExpiry: Int64? { order.first.flatMap { answers[$0] }.map { $0.time + Self.age } }

    subscript(key: Key, now: Moment) -> Answer? {
        guard let (answer, time) = answers[key], now.uptime - time < Self.age else { return nil }
        return answer
    }

    mutating func remember(_ answer: Answer, for key: Key, _ now: Moment) {
        dropExpired(now)
        if answers[key] == nil { makeRoom() }
        guard answers.updateValue((answer, now.uptime), forKey: key) == nil else { return }
        order.append(key)
        part.take(1)
    }

    /// For one more.
    private mutating func makeRoom() {
        let before = answers.count
        while answers.count >= capacity || answers.count >= Self.least && part.isTooMuch(1),
            let oldest = order.popFirst()
        {
            answers[oldest] = nil
        }
        part.give(before - answers.count)
    }

    mutating func forgetAll() {
        part.give(answers.count)
        answers = [:]
        order = []
    }

    /// Drops what is too old.
    mutating func dropExpired(_ now: Moment) {
        let before = answers.count
        while let key = order.first, let known = answers[key], now.uptime - known.time >= Self.age {
            answers[key] = nil
            order.removeFirst()
        }
        part.give(before - answers.count)
        // Neither of them gives memory back by itself.
        guard before > answers.count, answers.capacity > 64, answers.count * 4 < answers.capacity else { return }
        answers = Dictionary(uniqueKeysWithValues: answers.map { ($0.key, $0.value) })
        order = Deque(order)
    }
}

/// The answers to requests with a key, so that one sent twice has the effect of one; and the last runs' outcomes.
struct RefreshAnswers {
    private static let mostRuns = 64

    private var answers: IdempotencyCache<IdempotencyKey, RefreshGate.Answer>
    private var runs: [FinishedRun] = []

    /// - Parameter share: the number of keys for all lists.
    init(of share: MemoryShare) { answers = IdempotencyCache(of: share) }

    /// How many keys are known.
    var count: Int { answers.count }

    /// The answer given to this key within the last ten minutes. A run that it started counts as joined now.
    subscript(key: IdempotencyKey, now: Moment) -> RefreshGate.Answer? { answers[key, now] }

    /// A run that ended not long ago.
    subscript(run: RunID) -> FinishedRun? { runs.last { $0.id == run } }

    /// When the oldest is to be dropped (uptime).
    var nextExpiry: Int64? { answers.nextExpiry }

    mutating func dropExpired(_ now: Moment) { answers.dropExpired(now) }

    mutating func remember(_ answer: RefreshGate.Answer, for key: IdempotencyKey, _ now: Moment) {
        answers.remember(answer, for: key, now)
    }

    mutating func remember(_ run: FinishedRun) {
        runs.append(run)
        if runs.count > Self.mostRuns { runs.removeFirst() }
    }

    /// The list is in another history, in which nothing of this may have happened.
    mutating func forget() {
        answers.forgetAll()
        runs = []
    }
}
