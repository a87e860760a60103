/// A body that a `ServiceLoop` runs once, on its thread, unless it is cancelled first.
///
/// Used on its loop alone.
public final class LoopTimer {
    var place = WheelPosition()
    private var body: (@Sendable () -> Void)?
    private weak var timers: LoopTimers?

    init(timers: LoopTimers, body: @escaping @Sendable () -> Void) {
        self.timers = timers
        self.body = body
    }

    /// Makes sure that the body does not run. Harmless afterwards, and twice. O(1).
    public func cancel() {
        body = nil
        timers?.cancel(self)
    }
}

extension LoopTimer: WheelEntry {
    func fire() {
        let body = body
        self.body = nil
        body?()
    }
}
