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

    /// The default: release past 64 px refreshes, dragging back cancels.
    public static let standard = PullConfiguration(
        unchecked: .release, threshold: 64, minimum: 10, hold: 56, hysteresis: 8)

    /// A scroll view that refreshes on the way back, and holds the content one threshold lower.
    public static let recipe = PullConfiguration(
        unchecked: .return, threshold: 50, minimum: 10, hold: 50, hysteresis: 8)

    /// A progress that fills while pulling and refreshes the moment it is full.
    public static let progress = PullConfiguration(
        unchecked: .crossing, threshold: 100, minimum: 10, hold: 36, hysteresis: 8)

    /// A table that shows "Release to refresh", and expands to 70 px.
    public static let classic = PullConfiguration(
        unchecked: .release, threshold: 70, minimum: 10, hold: 70, hysteresis: 8)
}

extension PullConfiguration {
    /// How much of the way from `minimum` to `threshold` an offset is: 0…1, and 1 exactly where a pull is primed.
    public func progress(at offset: Double) -> Double {
        guard offset > minimum else { return 0 }
        return reaches(offset) ? 1 : (offset - minimum) / (threshold - minimum)
    }

    /// Whether an offset is far enough. This one `>=` decides progress 1, primed and trigger alike.
    func reaches(_ offset: Double) -> Bool {
        offset >= threshold
    }

    /// Whether an offset abandons what was pulled before it. Only `release` can be abandoned by dragging back.
    func unprimes(_ offset: Double) -> Bool {
        trigger == .release && offset <= threshold - hysteresis
    }

    /// Whether letting go at `offset`, having been as far as `peak`, asks for a refresh.
    func runs(releasedAt offset: Double, peak: Double) -> Bool {
        reaches(peak) && !unprimes(offset)
    }
}

extension PullConfiguration {
    /// A distance of a configuration, by the name it has in settings and messages.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// From where a pull counts.
        case threshold
        /// Up to where nothing is drawn.
        case minimum
        /// Where the content rests while loading.
        case hold
        /// How far back abandons a primed pull.
        case hysteresis
    }

    /// The distance of that name, in px.
    public subscript(field: Field) -> Double {
        switch field {
        case .threshold: threshold
        case .minimum: minimum
        case .hold: hold
        case .hysteresis: hysteresis
        }
    }
}

extension PullConfiguration {
    /// Finds the first distance that can't be used: each is checked alone first, then against the others.
    func check() throws(PullConfigurationError) {
        for field in Field.allCases {
            try require(self[field].isFinite, field, "a finite number")
            try require(self[field] <= Pull.limit, field, "at most \(Pull.limit.plain)")
        }
        try require(minimum >= 0, .minimum, "at least 0")
        try require(threshold > minimum, .threshold, "greater than minimum (\(minimum.plain))")
        try require(hysteresis > 0, .hysteresis, "greater than 0")
        try require(hysteresis < threshold, .hysteresis, "less than threshold (\(threshold.plain))")
        try require(hold >= 0, .hold, "at least 0")
    }

    private func require(_ isMet: Bool, _ field: Field, _ expected: String) throws(PullConfigurationError) {
        guard isMet else { throw PullConfigurationError(field: field, expected: expected, value: self[field]) }
    }
}

/// A distance that no pull could be measured by: `threshold must be greater than minimum (10), got 5`.
public struct PullConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The distance that can't be used.
    public let field: PullConfiguration.Field
    /// What it must be, as the end of a sentence that starts "threshold must be".
    public let expected: String
    /// What it was, in px.
    public let value: Double

    /// One line for the person who wrote the setting.
    public var description: String {
        "\(field.rawValue) must be \(expected), got \(value.plain)"
    }
}

extension Double {
    /// The number as a person writes it: `64`, not `64.0`.
    var plain: String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
}
