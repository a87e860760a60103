/// The numbers that positions are given: where new rows go, and how far around them others must make room.
///
/// Rows get room to spare, so that a row between two others is nearly always given a number between theirs. Where a gap is
/// closed, the rows around it are spread evenly over the smallest range that they do not crowd, as in
/// M. A. Bender, R. Cole, E. D. Demaine, M. Farach-Colton and J. Zito, "Two Simplified Algorithms for Maintaining Order in a
/// List" (ESA 2002), §2. As there, the ranges are aligned powers of two, and how many rows crowd one depends on how many
/// the list has, so that a short list makes room generously: with `bits` = 52 / log₂ rows, a range of 2^(bits · level)
/// positions is crowded by more than 2^level rows.
///
/// Why that is O(log n) a row, amortised: spreading the 2^level rows of a range, at most, leaves 2^level / 2^bits of them in
/// each range of the level below, which are crowded by 2^level / 2. As `bits` is 2 or more, at least a quarter of 2^level
/// rows must come before the range is spread again: four steps a row and level, at most.
enum Labelling {
    /// Positions are below this, 2^53: JavaScript's numbers hold all of them.
    static let limit: Position = 1 << 53
    /// The first row of an empty list.
    static let middle: Position = 1 << 52
    /// From one row to the next at the ends. Four million rows fit on either side of the first.
    static let step = 1 << 30
    /// The most that a streamed row is put after the one before it: the next one finds nearly all of the gap still there.
    static let streamStep = 1 << 12

    /// The positions of new rows between two others, of which `nil` is an end; `nil` if they don't fit.
    static func spread(_ count: Int, after lower: Position?, before upper: Position?) -> EvenPositions? {
        let room = step * (count + 1)
        switch (lower, upper) {
        case (nil, nil):
            return middle - step + room <= limit
                ? EvenPositions(count, between: middle - step, and: middle - step + room) : nil
        case (let lower?, nil):
            return lower + room <= limit ? EvenPositions(count, between: lower, and: lower + room) : nil
        case (nil, let upper?):
            return upper - room >= 0 ? EvenPositions(count, between: upper - room, and: upper) : nil
        case (let lower?, let upper?):
            return upper - lower > count ? EvenPositions(count, between: lower, and: upper) : nil
        }
    }

    /// The position of a streamed row after another; `nil` if there is no room. At the end of the list it is as any row.
    static func streamed(after lower: Position?, before upper: Position?) -> EvenPositions? {
        guard let lower, let upper else { return spread(1, after: lower, before: upper) }
        let distance = min((upper - lower) / 2, streamStep)
        return distance > 0 ? EvenPositions(1, between: lower, and: lower + 2 * distance) : nil
    }

    /// The ranges around a position, from small to large, for a list of so many rows: of up to 2^26, the last is not crowded.
    static func ranges(around position: Position, count: Int) -> some Sequence<(range: Range<Position>, capacity: Int)>
    {
        let bits = max(2, 52 / (Int.bitWidth - count.leadingZeroBitCount))
        return (1...52 / bits).lazy.map { level in
            let width = 1 << (bits * level)
            let start = position & ~(width - 1)
            return (start..<start + width, 1 << level)
        }
    }

    /// All rows anew around the middle, with at least a quarter of all positions free at either end.
    ///
    /// For a list that has come to an end of the positions, after two million rows at that end: less than one row moves for
    /// each that was put there, in a list of up to two million.
    static func centred(_ count: Int) -> EvenPositions {
        let gap = min(step, middle / (count + 1))
        let start = middle - gap * (count + 1) / 2
        return EvenPositions(count, between: start, and: start + gap * (count + 1))
    }
}
