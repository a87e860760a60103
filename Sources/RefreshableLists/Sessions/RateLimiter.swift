import ListProtocol

/// Holds one connection to the rates of the protocol. Made for its first message that counts: many send none.
final class RateLimiter {
    enum Verdict {
        case fine
        /// Not done. `isSaid` where the sender is to hear of it now: once a second at most for messages without an id.
        case excess(isSaid: Bool)
        /// Too many for too long.
        case close
    }

    /// How long a connection may go on sending too much, and the pause that ends such a time, in milliseconds.
    private static let patience: Int64 = 10_000
    private static let pause: Int64 = 2000

    private var pulls: TokenBucket
    private var others: TokenBucket
    private var excess: (since: Int64, last: Int64, saidAt: Int64)?

    init(_ limits: Limits, now: Moment) {
        pulls = TokenBucket(rate: limits.pullsPerSecond, burst: limits.pullsPerSecond, now: now)
        others = TokenBucket(rate: limits.messagesPerSecond, burst: limits.burst, now: now)
    }

    /// Nil stands for a message that could not be read.
    func check(_ message: ClientMessage?, now: Moment) -> Verdict {
        let isFine =
            switch message {
            case .pull: pulls.take(now: now)
            default: others.take(now: now)
            }
        return isFine ? .fine : exceed(now.uptime)
    }

    private func exceed(_ now: Int64) -> Verdict {
        guard let before = excess, now - before.last < Self.pause else {
            excess = (now, now, now)
            return .excess(isSaid: true)
        }
        if now - before.since > Self.patience { return .close }
        let isSaid = now - before.saidAt >= 1000
        excess = (before.since, now, isSaid ? now : before.saidAt)
        return .excess(isSaid: isSaid)
    }
}
