/// Limits log lines about events that strangers cause: ten at once, then one every ten seconds, so that nobody fills a disk by
/// being refused. Those left out are counted. Pure.
struct LogRateLimit {
    private static let burst = 10
    /// In milliseconds.
    private static let pause: Int64 = 10_000

    private var left = burst
    private var lastGain: Int64 = 0
    private var leftOut = 0

    /// How many were left out since the line before, where this one is worth a line; nil where it is left out, too.
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
