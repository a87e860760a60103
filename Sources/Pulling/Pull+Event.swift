extension Pull {
    /// What can happen to a pull. The finger sends the first three, the list's facts the other four.
    ///
    /// Gestures are numbered from 1 to 2⁵³ − 1, rising within a session. Offsets and peaks are displayed px. Numbers
    /// that are not finite, beyond ±`Pull.limit`, or no gesture, are ignored and counted: the wire has answered
    /// `badField` before.
    public enum Event: Hashable, Sendable {
        /// The content is now displaced by `offset`; negative above the top. The first one of a number is its
        /// touch-down: feed one then, so that a finger that rested through a refresh is known to be spent.
        case sample(gesture: Int, offset: Double)
        /// The finger let go at `offset`. `peak` is the highest offset since touch-down or the last unpriming; it
        /// decides instead of the samples', of which a slow connection may have lost the highest.
        case release(gesture: Int, offset: Double, peak: Double?)
        /// The gesture was abandoned: a second finger, a scroll, a lost connection.
        case cancel(gesture: Int)
        /// The list began a run, whoever asked for it.
        case begin
        /// The refresh that was asked for will not run: refused, too soon, or its answer can't come any more.
        case refuse
        /// The run is over, however it ended.
        case end
        /// The 600 ms of closing are over. The shell keeps the time.
        case settle
    }
}

extension Pull.Event {
    /// Whether the numbers of the event can be reckoned with.
    var isSound: Bool {
        switch self {
        case .sample(let gesture, let offset):
            Pull.gestures.contains(gesture) && offset.magnitude <= Pull.limit
        case .release(let gesture, let offset, let peak):
            // A comparison with NaN is false, so this refuses NaN and the infinities too.
            Pull.gestures.contains(gesture) && offset.magnitude <= Pull.limit && (peak ?? 0).magnitude <= Pull.limit
        case .cancel(let gesture):
            Pull.gestures.contains(gesture)
        case .begin, .refuse, .end, .settle:
            true
        }
    }
}
