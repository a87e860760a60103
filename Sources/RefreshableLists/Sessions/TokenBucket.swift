/// How many messages a connection may still send: a bucket that fills at a steady rate (the token bucket algorithm).
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

    /// Takes as much as a message is worth; false where so much is not left.
    mutating func take(_ worth: Double = 1, now: Moment) -> Bool {
        tokens = min(capacity, tokens + Double(now.uptime - filledAt) * rate / 1000)
        filledAt = now.uptime
        guard tokens >= worth else { return false }
        tokens -= worth
        return true
    }
}
