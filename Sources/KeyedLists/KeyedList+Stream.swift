extension KeyedList {
    /// Takes in the rows that a run has yielded so far, each directly after the one yielded before it.
    ///
    /// A row that the list has keeps its place if it follows with at most two others between; the first of a run goes on
    /// top, or stays if it is among the first three. Nothing is removed: `replace(with:)` sweeps and orders when the run has
    /// succeeded. A key yielded twice is taken as the later one here, and is for `replace(with:)` to reject.
    ///
    /// - Parameters:
    ///   - rows: What was yielded since the last call.
    ///   - last: The last key yielded before these that the list still has; `nil` for the first of the run.
    ///   - sparing: Keys that are left as they are, as in `replace(with:)`. What is yielded after one goes after it.
    ///   - now: Milliseconds since 1970.
    /// - Returns: What changed; `nil` if nothing did.
    public mutating func stream(
        _ rows: [Row], after last: Key?, sparing: Set<Key> = [], at now: Int64
    ) -> Commit? {
        var previous = last.flatMap { slot(of: $0) }
        for row in rows {
            let known = slot(of: row.key)
            if sparing.contains(row.key) {
                previous = known ?? previous
            } else {
                previous = stream(row, into: known, after: previous)
            }
        }
        return settle(at: now)
    }

    private mutating func stream(_ row: Row, into known: Int?, after previous: Int?) -> Int {
        guard let known else {
            let slot = insert(row)
            placeStreamed(slot, after: previous)
            return slot
        }
        update(known, to: row.fields)
        guard !isNear(known, after: previous) else { return known }
        detach(known)
        placeStreamed(known, after: previous)
        return known
    }

    /// Whether a row follows another, or the top, with at most two between.
    private func isNear(_ slot: Int, after previous: Int?) -> Bool {
        if slot == previous { return true }
        var current = previous
        for _ in 0..<3 {
            current = order.slot(after: current)
            if current == slot { return true }
            if current == nil { return false }
        }
        return false
    }
}
