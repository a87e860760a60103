/// One round of asking all loops and lists for their figures.
struct FigureGathering {
    /// Tells an answer to this round from one that came too late for an earlier one.
    let number: Int
    /// How many have not answered yet.
    var missing: Int
}
