/// The timers of one loop: a `TimerWheel`, and the one libuv timer that turns it.
final class LoopTimers {
    private var wheel = TimerWheel()
    /// When the timer of libuv rings; nil: it does not.
    private var ring: UInt64?
    /// Has the timer of libuv ring at this time of the loop's clock, in milliseconds.
    var onArm: (UInt64) -> Void = { _ in }

    /// Sets or resets an entry for a time on the loop's clock. O(1).
    func set(_ entry: any WheelEntry, at deadline: UInt64) {
        wheel.set(entry, at: deadline)
        arm(by: deadline)
    }

    /// Makes sure that an entry does not fire. O(1).
    func cancel(_ entry: any WheelEntry) { wheel.cancel(entry) }

    /// The timer rang: runs what is due at `now`, also what that sets for now.
    func fire(at now: UInt64) {
        ring = nil
        while let entry = wheel.next(at: now) { entry.fire() }
        if let next = wheel.nextTime { arm(by: next) }
    }

    func removeAll() { wheel.removeAll() }

    private func arm(by time: UInt64) {
        if let ring, ring <= time { return }
        ring = time
        onArm(time)
    }
}

/// A body that a `ServiceLoop` runs once, on its thread, unless it is cancelled first.
///
/// Used on its loop alone.
package final class LoopTimer {
    var place = WheelPosition()
    private var body: (@Sendable () -> Void)?
    /// Nil once it has rung or was cancelled.
    private var timers: LoopTimers?

    init(timers: LoopTimers, body: @escaping @Sendable () -> Void) {
        self.timers = timers
        self.body = body
    }

    /// Makes sure that the body does not run. Harmless afterwards, and twice. O(1).
    package func cancel() {
        body = nil
        timers?.cancel(self)
        timers = nil
    }
}

extension LoopTimer: WheelEntry {
    func fire() {
        let body = body
        (self.body, timers) = (nil, nil)
        body?()
    }
}
