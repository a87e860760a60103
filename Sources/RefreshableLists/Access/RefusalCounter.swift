/// How often somebody was turned away for want of a token or a right, and what of it is worth a line of the log. Pure.
struct RefusalCounter {
    /// Since the server's start.
    private(set) var counts: [AccessRefusal: Int] = [:]
    private var lines = LogRateLimit()

    /// Something that is only counted.
    mutating func count(_ refusal: AccessRefusal) { counts[refusal, default: 0] += 1 }

    /// A token that did not count.
    ///
    /// - Parameter now: uptime in milliseconds.
    /// - Returns: As `LogRateLimit.take`.
    mutating func note(_ refusal: AccessRefusal, at now: Int64) -> Int? {
        count(refusal)
        return lines.take(at: now)
    }
}
