/// One round of asking all loops and lists for their figures.
struct MetricsCollection {
    /// Tells an answer to this round from one that came too late for an earlier one.
    let number: Int
    /// How many have not answered yet.
    private var missing: Int

    init(number: Int, missing: Int) {
        self.number = number
        self.missing = missing
    }

    /// Somebody answered.
    ///
    /// - Returns: whether that was the last answer to this round.
    mutating func heard(_ round: Int) -> Bool {
        guard round == number else { return false }
        missing -= 1
        return missing == 0
    }
}
