/// How long to wait before connecting again. Time and chance are passed in.
///
///     4000–4099  do not come back unchanged           4200–4299  come back within `after`
///     4100–4199  back off                             otherwise  random 0–2 s first, then back off
struct Reconnection {
    /// The server's last words.
    struct ShutdownNotice: Equatable {
        var reconnects: Bool
        /// Milliseconds.
        var after: ClosedRange<Int>?
        var message = ""
    }

    private var attempts = 0

    /// - Parameters:
    ///   - code: The close code; 1006 where the connection was lost or never opened.
    ///   - lifetime: How long the connection was open; nil: it never was.
    ///   - chance: Equally spread over 0..<1.
    /// - Returns: How long to wait; nil: the server does not want us back.
    mutating func wait(
        code: UInt16, lifetime: Duration?, goodbye: ShutdownNotice? = nil, chance: Double
    ) -> Duration? {
        // A server that accepts and drops at once must not be met by an endless row of first attempts.
        if let lifetime, lifetime >= .seconds(10) { attempts = 0 }
        guard !(4000..<4100).contains(code), goodbye?.reconnects != false else { return nil }
        if let after = goodbye?.after {
            return .milliseconds(Double(after.lowerBound) + Double(after.upperBound - after.lowerBound) * chance)
        }
        let isFirst = lifetime != nil && attempts == 0 && !(4100..<4200).contains(code)
        let longest = longest()
        return .milliseconds((isFirst ? 2000 : longest) * chance)
    }

    /// How long to wait before a token that has just been renewed is shown: whoever is always given bad ones backs off, too.
    mutating func waitWithNewToken(chance: Double) -> Duration {
        let isFirst = attempts == 0
        let longest = longest()
        return isFirst ? .zero : .milliseconds(longest * chance)
    }

    /// The network is there again: the next wait starts small.
    mutating func encourage() { attempts = 0 }

    /// Milliseconds. Counts an attempt.
    private mutating func longest() -> Double {
        defer { attempts += 1 }
        return min(30_000, 1000 * Double(1 << min(attempts, 10)))
    }
}
