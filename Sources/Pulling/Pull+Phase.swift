extension Pull {
    /// Where a pull is, in the words of every message and attribute.
    public enum Phase: String, CaseIterable, Hashable, Sendable {
        /// Nothing is asked: at rest, or pulled less than the threshold.
        case waiting
        /// Pulled far enough: letting go refreshes.
        case primed
        /// A refresh runs, or was just asked for.
        case loading
        /// The refresh is over and the indicator goes away.
        case closing
    }
}
