import CoreMetrics

/// What a loop records at once: not what each message costs, but what each broadcast does, and each second.
struct LoopInstruments: Sendable {
    let broadcasts: [Timer]
    let lag: [Timer]

    /// Everybody on the loop was offered what is new of a list.
    func broadcastEnded(after duration: Duration) {
        for timer in broadcasts { timer.recordNanoseconds(duration.nanoseconds) }
    }

    /// The loop was that late.
    func lagged(by lag: Duration) {
        for timer in self.lag { timer.recordNanoseconds(lag.nanoseconds) }
    }
}

extension Duration {
    var nanoseconds: Int64 { Int64(components.seconds) * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
