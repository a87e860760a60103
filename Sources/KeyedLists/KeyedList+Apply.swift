extension KeyedList {
    /// Takes in a patch, as a client does: what it sets is set, what it removes is removed.
    ///
    /// A patch to this revision or an earlier one does nothing. The list keeps no history of its own then: its floor becomes
    /// its revision.
    ///
    /// - Throws: `PatchError`, and nothing is changed: if the patch begins after this revision, moves a row that is not
    ///   there, or does not fit the rows that are.
    public mutating func apply(_ patch: Patch) throws(PatchError) {
        guard patch.from <= revision else { throw .gap(from: patch.from, revision: revision) }
        guard patch.revision > revision else { return }
        let placements = try placements(for: patch)
        for key in patch.remove { slot(of: key).map { forget($0) } }
        forgetTombstones()
        for placement in placements { slot(of: placement.change.key).map { order.remove($0) } }
        apply(placements)
        for change in patch.set { overwrite(change, at: patch.revision) }
        revision = patch.revision
        floor = patch.revision
    }

    /// Where the rows go that the patch gives another position, in order. Changes nothing.
    private func placements(for patch: Patch) throws(PatchError) -> [Placement] {
        var keys = Set(patch.remove)
        var leaving = Set(keys.compactMap { slot(of: $0) })
        var countAfter = count - leaving.count
        var placements: [Placement] = []
        for change in patch.set {
            guard keys.insert(change.key).inserted else { throw .conflict("it names the row \"\(change.key)\" twice") }
            guard 0 < change.position, change.position < Labelling.limit else {
                throw .conflict("it puts the row \"\(change.key)\" at position \(change.position)")
            }
            if let slot = slot(of: change.key) {
                guard slots[slot].row.position != change.position else { continue }
                leaving.insert(slot)
            } else {
                guard change.fields != nil else { throw .unknownKey(change.key) }
                countAfter += 1
            }
            placements.append(Placement(change: change))
        }
        guard countAfter == patch.count else {
            throw .conflict("it leads to \(countAfter) rows, not to \(patch.count) as it says")
        }
        placements.sort { $0.change.position < $1.change.position }
        try anchor(&placements, leaving: leaving)
        return placements
    }

    /// Finds the row that each is to follow, among those that stay.
    private func anchor(_ placements: inout [Placement], leaving: Set<Int>) throws(PatchError) {
        var anchor: Int?
        var next = order.first
        var taken: Position = 0
        for number in placements.indices {
            let position = placements[number].change.position
            while let slot = next, leaving.contains(slot) || slots[slot].row.position <= position {
                if !leaving.contains(slot) {
                    anchor = slot
                    taken = max(taken, slots[slot].row.position)
                }
                next = order.slot(after: slot)
            }
            guard position > taken else { throw .conflict("it puts a second row at position \(position)") }
            placements[number].anchor = anchor
            taken = position
        }
    }

    private mutating func apply(_ placements: [Placement]) {
        var previous: Int?
        var anchor: Int?
        for (number, placement) in placements.enumerated() {
            if number == 0 || placement.anchor != anchor { previous = placement.anchor }
            anchor = placement.anchor
            let slot = slot(of: placement.change.key) ?? add(placement.change.key)
            order.insert(slot, after: previous)
            previous = slot
        }
    }

    private mutating func add(_ key: Key) -> Int {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        slots[slot] = Slot(life: .row, key: key)
        index.insert(slot, KeyIndex.hash(of: key))
        recency.insert(slot)
        return slot
    }

    private mutating func overwrite(_ change: Patch.Change, at revision: Revision) {
        guard let slot = slot(of: change.key) else { preconditionFailure("The row was placed.") }
        if let fields = change.fields {
            slots[slot].row.fields = fields
            slots[slot].row.fieldsRevision = revision
        }
        slots[slot].row.position = change.position
        slots[slot].row.positionRevision = revision
        recency.remove(slot)
        recency.insert(slot)
    }

    private mutating func forget(_ slot: Int) {
        order.remove(slot)
        recency.remove(slot)
        release(slot)
    }

    private mutating func forgetTombstones() {
        while let slot = tombstoneOrder.first {
            tombstoneOrder.remove(slot)
            recency.remove(slot)
            release(slot)
        }
    }
}

/// A change of a patch that gives a row another position.
private struct Placement {
    let change: Patch.Change
    /// The slot of the row to follow, that stays; `nil` is the top.
    var anchor: Int?
}
