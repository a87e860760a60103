/// How far a list must be pulled before it refreshes, and at which moment it does.
///
/// All lengths are *displayed* px of the content, after the rubber band's resistance, not the finger's travel.
///
///     offset   0      minimum     threshold − hysteresis   threshold
///              │         │                  │                  │
///     progress 0 ─────── 0 ──────────── rising ───────────────▶ 1 ─── 1
///     going down         waiting ─────────────────────────────▶│ primed
///     coming back        waiting ◀─────────│ still primed
///
/// Every list has one; it is sent to its clients, so that finger and server follow the same rules.
public struct PullConfiguration: Hashable, Sendable {
    /// The moment at which a pull past the threshold asks for a refresh.
    public enum Trigger: String, CaseIterable, Hashable, Sendable {
        /// When the finger lets go while primed; dragging back first abandons the pull.
        case release
        /// When the content comes back below the threshold, or when the finger lets go.
        case `return`
        /// As soon as the threshold is reached, with the finger still down.
        case crossing
    }

    /// When a pull past the threshold asks for a refresh.
    public let trigger: Trigger
    /// The offset, in px, from which a pull counts: progress is 1 and the list is primed at exactly this offset.
    public let threshold: Double
    /// The offset, in px, up to which nothing is drawn: progress is 0. At least 0 and below `threshold`.
    public let minimum: Double
    /// The offset, in px, at which the content rests while loading. The reducer does not use it; views do.
    public let hold: Double
    /// How far below `threshold`, in px, a primed pull must come back before it is abandoned.
    ///
    /// More than 0 and less than `threshold`, so that a trembling finger does not flicker. Used by `release` alone.
    public let hysteresis: Double

    /// Checks the distances of a list's own configuration; what is left out is that of `standard`.
    ///
    /// - Throws: `PullConfigurationError` for the first distance that no pull could be measured by.
    public init(
        trigger: Trigger = .release,
        threshold: Double = 64,
        minimum: Double = 10,
        hold: Double = 56,
        hysteresis: Double = 8
    ) throws(PullConfigurationError) {
        self.init(
            unchecked: trigger, threshold: threshold, minimum: minimum, hold: hold, hysteresis: hysteresis)
        try check()
    }

    /// For the presets, which a test checks.
    init(unchecked trigger: Trigger, threshold: Double, minimum: Double, hold: Double, hysteresis: Double) {
        self.trigger = trigger
        self.threshold = threshold
        self.minimum = minimum
        self.hold = hold
        self.hysteresis = hysteresis
    }

    /// The same configuration with some members replaced, checked again.
    ///
    /// - Throws: `PullConfigurationError` if the result, not the change alone, can't be used.
    public func changing(
        trigger: Trigger? = nil,
        threshold: Double? = nil,
        minimum: Double? = nil,
        hold: Double? = nil,
        hysteresis: Double? = nil
    ) throws(PullConfigurationError) -> PullConfiguration {
        try PullConfiguration(
            trigger: trigger ?? self.trigger,
            threshold: threshold ?? self.threshold,
            minimum: minimum ?? self.minimum,
            hold: hold ?? self.hold,
            hysteresis: hysteresis ?? self.hysteresis)
    }
}
