import KeyedLists
import WebSockets

/// The answers to pushes that had an idempotency key, so that one sent again is done once.
///
/// Only those that were done are remembered: one that was refused has changed nothing and may be sent again.
struct PushAnswers {
    /// The result of a push: everything in its response.
    struct Outcome {
        let revision: ListRevision
        let isNew: Bool
    }

    private struct Answer {
        let push: Fingerprint
        let outcome: Outcome
    }

    /// Tells two requests apart that share a key, alike at all servers: half of the SHA-256 of what they ask.
    private struct Fingerprint: Hashable {
        private let halves: (UInt64, UInt64)

        init(_ push: Push) {
            let kind =
                switch push.kind {
                case .patch: "patch"
                case .put(let key): "put \(key.string)"
                case .delete(let key): "delete \(key.string)"
                }
            let digest = SHA256Digest(of: kind + "\0" + String(decoding: push.body, as: UTF8.self))
            halves = digest.bytes.withUnsafeBytes { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        }

        /// Reads what `text` wrote.
        init?(text: some StringProtocol) {
            let parts = text.split(separator: "-")
            guard parts.count == 2, let high = UInt64(parts[0], radix: 36), let low = UInt64(parts[1], radix: 36) else {
                return nil
            }
            halves = (high, low)
        }

        var text: String { "\(String(halves.0, radix: 36))-\(String(halves.1, radix: 36))" }

        static func == (one: Fingerprint, other: Fingerprint) -> Bool { one.halves == other.halves }

        func hash(into hasher: inout Hasher) { hasher.combine(halves.0) }
    }

    /// What is known of a push.
    enum Memory {
        case unknown
        case done(Outcome)
        /// Its key was another's.
        case mismatch
    }

    private var answers: IdempotencyCache<IdempotencyKey, Answer>

    /// - Parameter share: the number of keys for all lists.
    init(of share: MemoryShare) { answers = IdempotencyCache(of: share) }

    /// When the oldest is to be dropped (uptime).
    var nextExpiry: Int64? { answers.nextExpiry }

    subscript(push: Push, now: Moment) -> Memory {
        guard let key = push.key, let known = answers[key, now] else { return .unknown }
        return known.push == Fingerprint(push) ? .done(known.outcome) : .mismatch
    }

    mutating func remember(_ outcome: Outcome, of push: Push, _ now: Moment) {
        guard let key = push.key else { return }
        answers.remember(Answer(push: Fingerprint(push), outcome: outcome), for: key, now)
    }

    /// What a push was answered, as servers tell each other.
    static func words(_ outcome: Outcome, of push: Push) -> [UInt8] {
        let revision = outcome.revision
        let state = outcome.isNew ? "new" : "old"
        return Array("push \(revision.epoch) \(revision.revision) \(state) \(Fingerprint(push).text)".utf8)
    }

    /// Remembers what another server has answered.
    mutating func remember(_ words: [UInt8], for key: IdempotencyKey, _ now: Moment) {
        let parts = String(decoding: words, as: UTF8.self).split(separator: " ")
        guard parts.count == 5, parts[0] == "push", let epoch = Epoch(String(parts[1])), let revision = Int(parts[2]),
            let fingerprint = Fingerprint(text: parts[4])
        else { return }
        let outcome = Outcome(revision: ListRevision(epoch: epoch, revision: revision), isNew: parts[3] == "new")
        let answer = Answer(push: fingerprint, outcome: outcome)
        if answers[key, now] == nil { answers.remember(answer, for: key, now) }
    }

    mutating func dropExpired(_ now: Moment) { answers.dropExpired(now) }

    /// What was done is not there any more: whatever is sent again is done again.
    mutating func forget() { answers.forgetAll() }
}
