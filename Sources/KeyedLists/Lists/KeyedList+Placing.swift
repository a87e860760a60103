/// Gives rows their positions, and moves others to make room.
extension KeyedList {
    /// Puts rows, in this order, directly before another; `nil` is the end of the list.
    mutating func place(_ run: [Int], before next: Int?) {
        place(
            run, before: next,
            at: Labelling.spread(run.count, after: position(before: next), before: position(of: next)))
    }

    /// Puts a streamed row directly after another; `nil` is the top of the list.
    mutating func placeStreamed(_ slot: Int, after previous: Int?) {
        let next = order.slot(after: previous)
        place([slot], before: next, at: Labelling.streamed(after: position(of: previous), before: position(of: next)))
    }

    private mutating func place(_ run: [Int], before next: Int?, at spread: EvenPositions?) {
        var previous = order.slot(before: next)
        let isBetween = previous != nil && next != nil
        for slot in run {
            order.insert(slot, after: previous)
            previous = slot
        }
        if let spread {
            position(spread, from: run[0])
        } else if isBetween {
            makeRoom(around: run)
        } else {
            centre()
        }
    }

    /// Spreads the rows around a closed gap, with those that were just linked into it, over the smallest range that fits.
    private mutating func makeRoom(around run: [Int]) {
        var first = run[0]
        var last = run[run.count - 1]
        var count = run.count
        guard let anchor = position(before: first) else { preconditionFailure("A gap has a row before it.") }
        for (range, capacity) in Labelling.ranges(around: anchor, count: order.count) {
            while let slot = order.slot(before: first), range.contains(slots[slot].row.position) {
                first = slot
                count += 1
            }
            while let slot = order.slot(after: last), range.contains(slots[slot].row.position) {
                last = slot
                count += 1
            }
            if count <= capacity {
                return position(EvenPositions(count, between: range.lowerBound, and: range.upperBound), from: first)
            }
        }
        centre()
    }

    private mutating func centre() {
        guard let first = order.first else { return }
        position(Labelling.centred(order.count), from: first)
    }

    /// Gives rows that follow each other these positions.
    private mutating func position(_ spread: EvenPositions, from first: Int) {
        var slot: Int? = first
        for number in 0..<spread.count {
            guard let current = slot else { preconditionFailure("A spread has as many positions as there are rows.") }
            position(current, at: spread[number])
            slot = order.slot(after: current)
        }
    }

    private func position(of slot: Int?) -> Position? {
        slot.map { slots[$0].row.position }
    }

    private func position(before slot: Int?) -> Position? {
        position(of: order.slot(before: slot))
    }

    private mutating func position(_ slot: Int, at position: Position) {
        guard slots[slot].row.position != position else { return }
        note(slot)
        slots[slot].row.position = position
    }
}

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

    /// New positions for all rows around the middle, with at least a quarter of all positions free at either end.
    ///
    /// For a list that has come to an end of the positions, after two million rows at that end: less than one row moves for
    /// each that was put there, in a list of up to two million.
    static func centred(_ count: Int) -> EvenPositions {
        let gap = min(step, middle / (count + 1))
        let start = middle - gap * (count + 1) / 2
        return EvenPositions(count, between: start, and: start + gap * (count + 1))
    }
}

/// Positions spread evenly between two bounds that they never reach:
///
///     lower ····· 0 ····· 1 ····· 2 ····· upper        count 3, width = upper − lower
///
/// They differ from each other and from the bounds as long as the width is more than the count.
struct EvenPositions: Equatable {
    let lower: Position
    let width: Int
    let count: Int

    init(_ count: Int, between lower: Position, and upper: Position) {
        self.lower = lower
        self.count = count
        width = upper - lower
    }

    /// The position with this number, from 0 on.
    subscript(number: Int) -> Position {
        let (step, rest) = width.quotientAndRemainder(dividingBy: count + 1)
        // Two products, as width × number could go beyond 64 bits.
        return lower + step * (number + 1) + rest * (number + 1) / (count + 1)
    }
}
