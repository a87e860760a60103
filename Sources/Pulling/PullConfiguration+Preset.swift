extension PullConfiguration {
    /// The names of the four ready configurations, as they stand in settings.
    public enum Preset: String, CaseIterable, Hashable, Sendable {
        /// Release past 64 px.
        case standard
        /// Pull past 50 px and come back.
        case recipe
        /// Reach 100 px, finger down.
        case progress
        /// Release past 70 px, held at 70 px.
        case classic

        /// The configuration of that name.
        public var configuration: PullConfiguration {
            switch self {
            case .standard: PullConfiguration.standard
            case .recipe: PullConfiguration.recipe
            case .progress: PullConfiguration.progress
            case .classic: PullConfiguration.classic
            }
        }
    }

    /// What a list has that says nothing: release past 64 px, dragging back abandons.
    public static let standard = PullConfiguration(
        unchecked: .release, threshold: 64, minimum: 10, hold: 56, hysteresis: 8)

    /// A scroll view that refreshes on the way back, and holds the content one threshold lower.
    public static let recipe = PullConfiguration(
        unchecked: .return, threshold: 50, minimum: 10, hold: 50, hysteresis: 8)

    /// A progress that fills while pulling and refreshes the moment it is full.
    public static let progress = PullConfiguration(
        unchecked: .crossing, threshold: 100, minimum: 10, hold: 36, hysteresis: 8)

    /// A table that says "Release to refresh", and expands to 70 px.
    public static let classic = PullConfiguration(
        unchecked: .release, threshold: 70, minimum: 10, hold: 70, hysteresis: 8)
}
