import WebSockets

/// The answers to pushes that had an idempotency key, so that one sent again is done once.
///
/// Only those that were done are remembered: one that was refused has changed nothing and may be sent again.
struct RememberedPushes {
    /// How long a key is remembered.
    private static let age: Int64 = 10 * 60 * 1000

    private struct Answer {
        let push: Fingerprint
        let response: HTTPResponse
        let time: Int64
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

    private let capacity: Int
    private var answers: [String: Answer] = [:]
    /// Keys in order of time; those before `oldest` are gone.
    private var order: [String] = []
    private var oldest = 0

    /// - Parameter capacity: how many keys are remembered: at a thousand pushes a second, the last minute of them.
    init(capacity: Int = 65_536) { self.capacity = capacity }

    subscript(push: Push, now: Moment) -> Memory {
        guard let key = push.idempotencyKey, let known = answers[key], now.uptime - known.time < Self.age
        else { return .unknown }
        return known.push == Fingerprint(push) ? .done(known.response) : .mismatch
    }

    mutating func remember(_ response: HTTPResponse, to push: Push, _ now: Moment) {
        guard let key = push.idempotencyKey else { return }
        prune(now)
        answers[key] = Answer(push: Fingerprint(push), response: response, time: now.uptime)
        order.append(key)
    }

    private mutating func prune(_ now: Moment) {
        while oldest < order.count, let answer = answers[order[oldest]],
            answers.count >= capacity || now.uptime - answer.time >= Self.age
        {
            answers[order[oldest]] = nil
            oldest += 1
        }
        if oldest > order.count / 2 {
            order.removeFirst(oldest)
            oldest = 0
        }
    }
}
