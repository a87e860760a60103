/// The newest gesture a pull has heard of: one finger, from touch-down to letting go.
struct Touch: Hashable, Sendable {
    /// What may still come of it.
    ///
    ///     down ──release──▶ released
    ///      ├──its own sample asks (return, crossing)──▶ fired
    ///      ├──a refresh ends while it is down──▶ spent
    ///      └──cancel (also of fired and spent)──▶ cancelled
    enum Fate: Hashable, Sendable {
        case down
        case fired
        case spent
        case released
        case cancelled
    }

    /// 0 before the first gesture.
    var gesture = 0
    var fate = Fate.cancelled
    /// The highest offset since touch-down or the last unpriming; nil before the first sample.
    var peak: Double?

    /// Whether the finger still touches, and samples are expected.
    var isDown: Bool {
        switch fate {
        case .down, .fired, .spent: true
        case .released, .cancelled: false
        }
    }

    mutating func move(to offset: Double, _ configuration: PullConfiguration) {
        peak = configuration.unprimes(offset) ? offset : max(peak ?? offset, offset)
    }
}
