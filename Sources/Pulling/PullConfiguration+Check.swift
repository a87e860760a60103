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
