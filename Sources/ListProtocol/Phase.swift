/// Where a pull, or a list, is on its way.
public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// At rest, or pulled not far enough.
    case waiting
    /// Pulled far enough: letting go refreshes.
    case primed
    /// A run is under way.
    case loading
    /// The run has ended, and its indicator is leaving.
    case closing
}
