/// What one loop has done since its start, and what it holds now.
///
/// Plain numbers that the loop's thread alone touches, so that counting costs a message neither an atomic nor a lock.
/// Whoever wants them has them copied there (`ServiceLoop.statistics`).
package struct LoopStatistics: Hashable, Sendable {
    /// Frames that were handed to the system, pings, pongs and Close frames included.
    package struct Traffic: Hashable, Sendable {
        /// How many.
        package var frames = 0
        /// Their bytes, with their headers.
        package var bytes = 0
    }

    /// Connections of all kinds now.
    package var connections = 0
    /// Of these, WebSockets now.
    package var sockets = 0
    /// Connections taken over since the start.
    package var acceptedConnections = 0
    /// WebSockets opened since the start.
    package var openedSockets = 0
    /// WebSockets that ended, by the code of their Close frame: 1006 where none came, 0 for a peer's own code.
    package var closedSockets: [UInt16: Int] = [:]
    /// What went out as it was.
    package var plain = Traffic()
    /// What went out compressed.
    package var compressed = Traffic()
    /// Bytes that what went out compressed would have had plain.
    package var inflatedBytes = 0
    /// Whole messages that came in.
    package var receivedMessages = 0
    /// Bytes of payload that came in.
    package var receivedBytes = 0
    /// Answers to HTTP requests and refused handshakes, by their status.
    package var responses: [Int: Int] = [:]
    /// Connections, handshakes and requests that were rejected before their owner saw them.
    package var refusals: [Refusal: Int] = [:]

    /// Nothing yet.
    package init() {}

    /// So many frames of one size were handed to the system; `whole` is what each would have been plain.
    mutating func sent(_ count: Int, bytes: Int, whole: Int) {
        if bytes == whole {
            plain.frames += count
            plain.bytes += count * bytes
        } else {
            compressed.frames += count
            compressed.bytes += count * bytes
            inflatedBytes += count * whole
        }
    }
}

/// Holds a loop's figures where everything on that loop can count. On the loop's thread alone.
final class LoopCounter: @unchecked Sendable {
    var statistics = LoopStatistics()
}

/// Measures a loop's lag: once a second, how late a timer runs.
///
/// A loop that is never busy for long shows what a timer's rounding leaves, 1 ms or less.
final class LoopLagMonitor: @unchecked Sendable {
    private static let period = Duration.seconds(1)

    private let loop: ServiceLoop
    private let tell: (Duration) -> Void
    private var timer: LoopTimer?

    /// - Parameter tell: called on the loop's thread.
    init(loop: ServiceLoop, tell: @escaping (Duration) -> Void) {
        self.loop = loop
        self.tell = tell
    }

    /// On the loop's thread.
    func start() {
        let due = ContinuousClock.now + Self.period
        timer = loop.schedule(after: Self.period) { [weak self] in
            guard let self else { return }
            tell(max(.zero, due.duration(to: .now)))
            start()
        }
    }

    /// On the loop's thread.
    func stop() {
        timer?.cancel()
        timer = nil
    }
}
