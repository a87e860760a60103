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
