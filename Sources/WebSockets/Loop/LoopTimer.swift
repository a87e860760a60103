/// A body that a `ServiceLoop` runs once, on its thread, unless it is cancelled first.
///
/// Used on its loop alone.
public final class LoopTimer {
    /// Milliseconds on the loop's clock.
    let deadline: UInt64
    /// Order of scheduling, so that timers for the same moment run in the order they were made.
    let serial: UInt64
    /// Its place in the heap; nil once it ran or was cancelled.
    var index: Int?
    private var body: (@Sendable () -> Void)?
    private weak var timers: LoopTimers?

    init(deadline: UInt64, serial: UInt64, timers: LoopTimers, body: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.serial = serial
        self.timers = timers
        self.body = body
    }

    /// Makes sure that the body does not run. Harmless afterwards, and twice. O(log n).
    public func cancel() {
        body = nil
        timers?.remove(self)
    }

    func fire() {
        let body = body
        self.body = nil
        body?()
    }

    static func < (left: LoopTimer, right: LoopTimer) -> Bool {
        (left.deadline, left.serial) < (right.deadline, right.serial)
    }
}
