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

    /// What the puller alone is told: a `state` message with `gesture`.
    public struct PrivateState: Hashable, Sendable {
        /// The gesture it is about.
        public let gesture: Int
        /// That gesture's phase. Never `closing`, which is the list's.
        public let phase: Phase
        /// 0…1; frozen while loading.
        public let progress: Double
    }
}
