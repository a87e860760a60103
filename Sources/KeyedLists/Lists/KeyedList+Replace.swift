extension KeyedList {
    /// Makes these the rows of the list, in this order, by the fewest moves.
    ///
    /// Costs little more than comparing the rows: of a hundred thousand, with 1 % changed, about as much as putting all keys
    /// into a set.
    ///
    /// - Parameters:
    ///   - rows: All rows of a finished run, no key twice.
    ///   - sparing: Keys that are left as they are: such a row is neither changed, moved nor removed, and if it is not there
    ///     it is not inserted. It is what was pushed, or removed, while the run was on.
    ///   - now: Milliseconds since 1970, for the tombstones.
    /// - Returns: What changed; `nil` if nothing did.
    /// - Throws: `DuplicateKey` for the first key that comes a second time. Nothing is changed then.
    public mutating func replace(
        with rows: [ListRow], sparing: Set<Key> = [], at now: Int64
    ) throws(DuplicateKey) -> Commit? {
        let match = try match(rows, sparing: sparing)
        removeRows(missingFrom: match, sparing: sparing)
        update(to: rows, match)
        if !match.isInPlace { arrange(rows, match) }
        return settle(at: now)
    }

    /// Finds the slot of each row, without changing anything.
    private func match(_ rows: [ListRow], sparing: Set<Key>) throws(DuplicateKey) -> Match {
        var match = Match(rows: rows.count, slots: slots.count)
        if index.count == 0 { match.strangers.reserveCapacity(rows.count) }
        // What comes next if the order is the same: then no key has to be looked up.
        var expected = order.first
        for number in rows.indices {
            // The key alone: a reference to the fields, taken and let go of, would cost as much as comparing them.
            let key = rows[number].key
            let (slot, hash) = find(key, expecting: expected)
            let isFirst = slot.map { match.see($0) } ?? match.strangers.insert(number, hash) { rows[$0].key == key }
            guard isFirst else { throw DuplicateKey(key: key) }
            if !sparing.isEmpty, sparing.contains(key) {
                match.appendSpared()
            } else if let slot, slots[slot].life == .row {
                match.append(slot, at: slots[slot].row.position)
                expected = order.slot(after: slot)
            } else {
                match.appendMissing(slot, hash)
            }
        }
        return match
    }

    /// The slot of a key, and the hash by which it is not found.
    @inline(__always)
    private func find(_ key: Key, expecting expected: Int?) -> (slot: Int?, hash: KeyIndex.Hash) {
        if let expected, slots[expected].row.key == key { return (expected, 0) }
        let hash = KeyIndex.hash(of: key)
        return (anySlot(of: key, hash), hash)
    }

    private mutating func removeRows(missingFrom match: Match, sparing: Set<Key>) {
        guard match.kept < count else { return }
        var next = order.first
        while let slot = next {
            next = order.slot(after: slot)
            if !match.isSeen[slot], !sparing.contains(slots[slot].row.key) { remove(slot) }
        }
    }

    private mutating func update(to rows: [ListRow], _ match: Match) {
        for (row, target) in zip(rows, match.targets) {
            if case .row(let slot) = target { update(slot, to: row.fields) }
        }
    }

    /// Takes out the rows to move, then places them and the new ones between those that stay, run by run.
    private mutating func arrange(_ rows: [ListRow], _ match: Match) {
        let stays = match.isOrdered ? nil : detachMoving(match)
        // Of a list that had nothing, the slots have the numbers of the rows.
        let isIndexed = slots.isEmpty && match.missing == rows.count
        if isIndexed { index = match.strangers }
        makeRoom(for: match.missing, isIndexed: isIndexed)
        var run: [Int] = []
        var last: Int?
        var number = 0
        for (row, target) in zip(rows, match.targets) {
            switch target {
            case .spared: continue
            case .missing(let hash): run.append(isIndexed ? add(row) : add(row, hash))
            case .tombstone(let slot):
                revive(slot, as: row)
                run.append(slot)
            case .row(let slot):
                defer { number += 1 }
                guard stays?[number] ?? true else {
                    run.append(slot)
                    continue
                }
                // Before what follows, not after what precedes: a row pushed on top during the run stays on top.
                if !run.isEmpty { place(run, before: slot) }
                run.removeAll(keepingCapacity: true)
                last = slot
            }
        }
        if !run.isEmpty { place(run, before: last.flatMap { order.slot(after: $0) }) }
    }

    /// Makes room for new rows: the first ones of a list get exactly as much as they need, for most lists stay as large.
    private mutating func makeRoom(for count: Int, isIndexed: Bool) {
        if !isIndexed { index.reserveCapacity(index.count + count) }
        journal.reserveCapacity(journal.count + count)
        guard slots.isEmpty else { return }
        slots.reserveCapacity(count)
        order.reserveCapacity(count)
        recency.reserveCapacity(count)
    }

    private mutating func detachMoving(_ match: Match) -> [Bool] {
        let stays = Difference.staying(match.positions)
        var number = 0
        for case .row(let slot) in match.targets {
            if !stays[number] { detach(slot) }
            number += 1
        }
        return stays
    }
}

extension KeyedList {
    /// The same rows, of which those that the list has take no memory of their own.
    ///
    /// A run that reads a million rows, of which a thousand have changed, so holds on to what a thousand take. Costs a comparison
    /// for each row, and where they are in another order than here also a look at the index.
    package func sharing(_ rows: [ListRow]) -> [ListRow] {
        var expected: Int?
        return rows.map { row in
            guard let slot = find(row.key, expecting: expected).slot, slots[slot].life == .row else { return row }
            expected = order.slot(after: slot)
            return slots[slot].row.fields == row.fields ? slots[slot].row.row : row
        }
    }
}

/// Matches the rows of a finished run with the rows of a list.
struct Match {
    enum Target {
        /// There is a row of that key, in this slot.
        case row(Int)
        /// There is its tombstone, in this slot.
        case tombstone(Int)
        /// There is neither; its key has this hash.
        case missing(KeyIndex.Hash)
        /// It is to be left alone.
        case spared
    }

    private(set) var targets: [Target] = []
    /// The positions of the rows that are there, in the order of the run.
    private(set) var positions: [Position] = []
    /// Whether they increase already.
    private(set) var isOrdered = true
    /// How many rows are to be inserted.
    private(set) var missing = 0
    /// For each slot, whether its key came.
    private(set) var isSeen: [Bool]
    /// The numbers of the rows whose keys the list does not know.
    var strangers = KeyIndex()

    init(rows: Int, slots: Int) {
        targets.reserveCapacity(rows)
        positions.reserveCapacity(rows)
        isSeen = [Bool](repeating: false, count: slots)
    }

    /// How many rows are there and not spared.
    var kept: Int { positions.count }

    /// Whether nothing needs a new place.
    var isInPlace: Bool { isOrdered && missing == 0 }

    /// Marks a slot as seen; returns whether it is the first time.
    mutating func see(_ slot: Int) -> Bool {
        guard !isSeen[slot] else { return false }
        isSeen[slot] = true
        return true
    }

    mutating func append(_ slot: Int, at position: Position) {
        if let last = positions.last, last > position { isOrdered = false }
        positions.append(position)
        targets.append(.row(slot))
    }

    mutating func appendMissing(_ tombstone: Int?, _ hash: KeyIndex.Hash) {
        missing += 1
        targets.append(tombstone.map { .tombstone($0) } ?? .missing(hash))
    }

    mutating func appendSpared() {
        targets.append(.spared)
    }
}

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
        _ rows: [ListRow], after last: Key?, sparing: Set<Key> = [], at now: Int64
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

    private mutating func stream(_ row: ListRow, into known: Int?, after previous: Int?) -> Int {
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
