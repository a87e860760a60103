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
