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
        /// The list began a run, whoever started it.
        case begin
        /// The refresh that was asked for will not run: refused, too soon, or its answer can't come any more.
        case refuse
        /// The run is over, however it ended.
        case end
        /// The 600 ms of closing have passed. The shell measures the time.
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

extension Pull {
    /// What the shell must do after an event: at most one of each, in this order. Nothing is left for it to decide.
    public struct Actions: Hashable, Sendable {
        /// Ask the list to start a run or to join the one in progress, in the name of this gesture; then feed `refuse`
        /// if it will not. Never twice for one gesture.
        public var refresh: Int?
        /// Answer the release that was handled. Every release with sound numbers has an answer, no other event has.
        public var answer: Answer?
        /// Send this private state to the puller; only the newest one unsent matters.
        public var state: PrivateState?
    }

    /// How a release is to be answered.
    public enum Answer: String, CaseIterable, Hashable, Sendable {
        /// With the run that `Actions.refresh` starts, or with its refusal.
        case run
        /// The same, while loading: the run in progress is expected.
        case joins
        /// No run: it was not pulled far enough, or was dragged back.
        case belowThreshold
        /// No run: the gesture was down while a refresh ran, or was cancelled.
        case spent
        /// With the run (or refusal) that this gesture's own sample asked for, by `return` or `crossing`.
        case own
        /// As this gesture's release was answered before; where the shell no longer knows that, as `spent`.
        case repeated
    }

    /// What only the puller is sent: a `state` message with `gesture`.
    public struct PrivateState: Hashable, Sendable {
        /// The gesture it is about.
        public let gesture: Int
        /// That gesture's phase. Never `closing`, which is the list's.
        public let phase: Phase
        /// 0…1; frozen while loading.
        public let progress: Double
    }
}
