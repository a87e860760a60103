/// Where rows get their positions, and others make room for them.
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
