import ListProtocol

/// Holds one connection to the rates of the protocol. Made for its first message that counts: many send none.
final class RateLimiter {
    enum Verdict {
        case fine
        /// Rejected. `isSaid` if the sender is notified now: at most once a second for messages without an id.
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

/// Limits how many messages a connection may send, by the token bucket algorithm: it fills at a steady rate.
struct TokenBucket {
    private let rate: Double
    private let capacity: Double
    private var tokens: Double
    /// Uptime in milliseconds.
    private var filledAt: Int64

    /// - Parameters:
    ///   - rate: messages a second.
    ///   - burst: messages at once.
    init(rate: Int, burst: Int, now: Moment) {
        self.rate = Double(rate)
        capacity = Double(burst)
        tokens = capacity
        filledAt = now.uptime
    }

    /// Takes the cost of a message; false if not enough is left.
    mutating func take(_ worth: Double = 1, now: Moment) -> Bool {
        tokens = min(capacity, tokens + Double(now.uptime - filledAt) * rate / 1000)
        filledAt = now.uptime
        guard tokens >= worth else { return false }
        tokens -= worth
        return true
    }
}

/// Limits log lines about events that strangers cause: ten at once, then one every ten seconds, so that nobody fills a disk by
/// being refused. Those left out are counted. Pure.
struct LogRateLimit {
    private static let burst = 10
    /// In milliseconds.
    private static let pause: Int64 = 10_000

    private var left = burst
    private var lastGain: Int64 = 0
    private var leftOut = 0

    /// The number of suppressed lines since the last one, if this one is logged; nil if it is suppressed, too.
    ///
    /// - Parameter now: uptime in milliseconds.
    mutating func take(at now: Int64) -> Int? {
        let gained = Int((now - lastGain) / Self.pause)
        if gained > 0 {
            left = min(Self.burst, left + gained)
            lastGain = now
        }
        guard left > 0 else {
            leftOut += 1
            return nil
        }
        left -= 1
        defer { leftOut = 0 }
        return leftOut
    }
}
