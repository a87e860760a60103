import WebSockets

/// The answers to pushes that had an idempotency key, so that one sent again is done once.
///
/// Only those that were done are remembered: one that was refused has changed nothing and may be sent again.
struct RememberedPushes {
    private struct Answer {
        let push: Fingerprint
        let response: HTTPResponse
    }

    /// Tells two requests apart that share a key. 128 bits of SipHash, with the seed of this process.
    private struct Fingerprint: Hashable {
        private let halves: [Int]

        init(_ push: Push) {
            halves = [0, 1].map { half in
                var hasher = Hasher()
                hasher.combine(half)
                hasher.combine(push.kind)
                hasher.combine(push.body)
                return hasher.finalize()
            }
        }
    }

    /// What is known of a push.
    enum Memory {
        case unknown
        /// It was done, and answered so.
        case done(HTTPResponse)
        /// Its key was another's.
        case mismatch
    }

    private var answers = RecentAnswers<String, Answer>()

    subscript(push: Push, now: Moment) -> Memory {
        guard let key = push.idempotencyKey, let known = answers[key, now] else { return .unknown }
        return known.push == Fingerprint(push) ? .done(known.response) : .mismatch
    }

    mutating func remember(_ response: HTTPResponse, to push: Push, _ now: Moment) {
        guard let key = push.idempotencyKey else { return }
        answers.remember(Answer(push: Fingerprint(push), response: response), for: key, now)
    }
}
