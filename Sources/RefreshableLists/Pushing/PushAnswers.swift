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

    /// Tells two requests apart that share a key. 128 bits of SipHash, with the seed of this process.
    private struct Fingerprint: Hashable {
        private let halves: (Int, Int)

        init(_ push: Push) { halves = (Self.half(0, of: push), Self.half(1, of: push)) }

        private static func half(_ number: Int, of push: Push) -> Int {
            var hasher = Hasher()
            hasher.combine(number)
            hasher.combine(push.kind)
            hasher.combine(push.body)
            return hasher.finalize()
        }

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

    mutating func dropExpired(_ now: Moment) { answers.dropExpired(now) }

    /// What was done is not there any more: whatever is sent again is done again.
    mutating func forget() { answers.forgetAll() }
}
