/// The small steps that commits are made of. Each notes what it touches; `settle` ends the commit.
extension KeyedList {
    /// Makes a row that the list does not have. It is to be placed.
    mutating func insert(_ row: Row) -> Int {
        guard let slot = index[row.key] else { return add(row) }
        revive(slot, as: row)
        return slot
    }

    /// Makes a slot for a row whose key the list does not have, not even as a tombstone. It is to be placed.
    mutating func add(_ row: Row) -> Int {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        note(slot)
        slots[slot].row.key = row.key
        index[row.key] = slot
        revive(slot, as: row)
        return slot
    }

    /// Makes a row of a tombstone, or of a slot that has only its key. It is to be placed.
    mutating func revive(_ slot: Int, as row: Row) {
        note(slot)
        slots[slot].life = .row
        slots[slot].row.fields = row.fields
    }

    /// Gives a row these fields, if it has others.
    mutating func update(_ slot: Int, to fields: Fields) {
        guard slots[slot].row.fields != fields else { return }
        note(slot)
        slots[slot].row.fields = fields
    }

    /// Makes a tombstone of a row.
    mutating func remove(_ slot: Int) {
        note(slot)
        order.remove(slot)
        slots[slot].life = .tombstone
        slots[slot].row.fields = Fields()
    }

    /// Takes a row from its place. It is to be placed.
    mutating func detach(_ slot: Int) {
        note(slot)
        journal[Int(slots[slot].entry)].isMoved = true
        order.remove(slot)
    }
}
