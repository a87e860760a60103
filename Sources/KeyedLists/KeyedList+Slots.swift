/// The small steps that commits are made of. Each notes what it touches; `settle` ends the commit.
extension KeyedList {
    /// Makes a row that the list does not have. It is to be placed.
    mutating func insert(_ row: Row) -> Int {
        let hash = KeyIndex.hash(of: row.key)
        guard let slot = anySlot(of: row.key, hash) else { return add(row, hash) }
        revive(slot, as: row)
        return slot
    }

    /// Makes a slot for a row whose key the list does not have, not even as a tombstone. It is to be placed.
    mutating func add(_ row: Row, _ hash: KeyIndex.Hash) -> Int {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        note(slot)
        slots[slot].row.key = row.key
        index.insert(slot, hash)
        revive(slot, as: row)
        return slot
    }

    /// Makes a row of a tombstone, or of a slot that has only its key. It is to be placed.
    mutating func revive(_ slot: Int, as row: Row) {
        overwrite(slot, with: row.fields)
        slots[slot].life = .row
    }

    /// Gives a row these fields, if it has others.
    mutating func update(_ slot: Int, to fields: Fields) {
        if slots[slot].row.fields != fields { overwrite(slot, with: fields) }
    }

    /// Makes a tombstone of a row.
    mutating func remove(_ slot: Int) {
        overwrite(slot, with: Fields())
        order.remove(slot)
        slots[slot].life = .tombstone
    }

    /// Takes a row from its place. It is to be placed.
    mutating func detach(_ slot: Int) {
        note(slot)
        journal[Int(slots[slot].entry)].isMoved = true
        order.remove(slot)
    }

    /// Gives a slot other fields; the journal takes those that its row had before the commit.
    private mutating func overwrite(_ slot: Int, with fields: Fields) {
        note(slot)
        var former = fields
        swap(&slots[slot].row.fields, &former)
        let entry = Int(slots[slot].entry)
        if journal[entry].life == .row, journal[entry].fields == nil { journal[entry].fields = former }
    }
}
