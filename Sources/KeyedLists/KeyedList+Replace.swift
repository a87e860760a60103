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
        with rows: [Row], sparing: Set<Key> = [], at now: Int64
    ) throws(DuplicateKey) -> Commit? {
        let match = try match(rows, sparing: sparing)
        removeRows(missingFrom: match, sparing: sparing)
        update(to: rows, match)
        if !match.isInPlace { arrange(rows, match) }
        return settle(at: now)
    }

    /// Finds the slot of each row, without changing anything.
    private func match(_ rows: [Row], sparing: Set<Key>) throws(DuplicateKey) -> Match {
        var match = Match(rows: rows.count, slots: slots.count)
        // The numbers of the rows whose keys the list does not know.
        var strangers = KeyIndex()
        if index.count == 0 { strangers.reserveCapacity(rows.count) }
        // What comes next if the order is the same: then no key has to be looked up.
        var expected = order.first
        for number in rows.indices {
            // The key alone: a reference to the fields, taken and let go of, would cost as much as comparing them.
            let key = rows[number].key
            let (slot, hash) = find(key, expecting: expected)
            let isFirst = slot.map { match.see($0) } ?? strangers.insert(number, hash) { rows[$0].key == key }
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

    private mutating func update(to rows: [Row], _ match: Match) {
        for (row, target) in zip(rows, match.targets) {
            if case .row(let slot) = target { update(slot, to: row.fields) }
        }
    }

    /// Takes out the rows to move, then places them and the new ones between those that stay, run by run.
    private mutating func arrange(_ rows: [Row], _ match: Match) {
        let stays = match.isOrdered ? nil : detachMoving(match)
        makeRoom(for: match.missing)
        var run: [Int] = []
        var last: Int?
        var number = 0
        for (row, target) in zip(rows, match.targets) {
            switch target {
            case .spared: continue
            case .missing(let hash): run.append(add(row, hash))
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
    private mutating func makeRoom(for count: Int) {
        index.reserveCapacity(index.count + count)
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
