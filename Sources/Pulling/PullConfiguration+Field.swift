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
