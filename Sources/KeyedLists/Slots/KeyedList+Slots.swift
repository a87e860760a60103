/// The small steps that commits are made of. Each notes what it touches; `settle` ends the commit.
extension KeyedList {
    /// Makes a row that the list does not have. It is to be placed.
    mutating func insert(_ row: ListRow) -> Int {
        let hash = KeyIndex.hash(of: row.key)
        guard let slot = anySlot(of: row.key, hash) else { return add(row, hash) }
        revive(slot, as: row)
        return slot
    }

    /// Makes a slot for a row whose key the list does not have, not even as a tombstone. It is to be placed.
    mutating func add(_ row: ListRow, _ hash: KeyIndex.Hash) -> Int {
        let slot = add(row)
        index.insert(slot, hash)
        return slot
    }

    /// Makes a slot for a row whose key the index has, or is to be given, for this slot. It is to be placed.
    mutating func add(_ row: ListRow) -> Int {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        note(slot)
        slots[slot].row.key = row.key
        revive(slot, as: row)
        return slot
    }

    /// Makes a row of a tombstone, or of a slot that has only its key. It is to be placed.
    mutating func revive(_ slot: Int, as row: ListRow) {
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

/// The place in memory of one key: of its row, then of its tombstone.
struct Slot: Sendable {
    /// What a slot holds.
    enum Life: Sendable {
        case free, row, tombstone
    }

    /// The row. Of a tombstone, the key, and in both revisions that of the removal.
    var row: PlacedRow
    /// When the row was removed, of a tombstone.
    var removedAt: Int64 = 0
    /// Where the journal of the commit being made remembers this slot as it was; −1 if it is untouched.
    var entry: Int32 = -1
    var life: Life

    /// A slot that holds nothing.
    static var free: Slot { Slot(life: .free, key: "") }

    /// A slot for a key whose row is yet to be placed.
    init(life: Life, key: Key, fields: Fields = Fields()) {
        self.life = life
        row = PlacedRow(key: key, fields: fields, position: 0, fieldsRevision: 0, positionRevision: 0)
    }

    /// A slot of a restored row.
    init(_ row: PlacedRow) {
        life = .row
        self.row = row
    }

    /// A slot of a restored tombstone.
    init(_ tombstone: Tombstone) {
        self.init(life: .tombstone, key: tombstone.key)
        row.fieldsRevision = tombstone.revision
        row.positionRevision = tombstone.revision
        removedAt = tombstone.removedAt
    }

    /// What is left of the row.
    var tombstone: Tombstone {
        Tombstone(key: row.key, revision: row.revision, removedAt: removedAt)
    }
}

extension KeyedList {
    /// Remembers a slot as it is, without its fields, if this commit has not touched it before.
    mutating func note(_ slot: Int) {
        guard slots[slot].entry < 0 else { return }
        slots[slot].entry = Int32(journal.count)
        journal.append(JournalEntry(slot: slot, life: slots[slot].life, position: slots[slot].row.position))
    }

    /// Ends the commit: compares every touched slot with what it was, and makes a revision of what differs.
    ///
    /// Returns `nil` if nothing does; then the revision is the one before.
    mutating func settle(at now: Int64) -> Commit? {
        precondition(revision < Labelling.limit - 1, "A list has no more than 2^53 revisions.")
        let base = revision
        var changes = ChangeCounts()
        var isChanged = false
        for entry in journal where settle(entry, as: base + 1, at: now, counting: &changes) { isChanged = true }
        defer {
            for entry in journal { slots[entry.slot].entry = -1 }
            journal = []
        }
        guard isChanged else { return nil }
        revision = base + 1
        return commit(since: base, changes: changes)
    }

    /// Settles one slot; returns whether it differs from what it was.
    private mutating func settle(
        _ entry: JournalEntry, as next: Revision, at now: Int64, counting changes: inout ChangeCounts
    ) -> Bool {
        switch (entry.life, slots[entry.slot].life) {
        case (.row, .row):
            return settleRow(entry, as: next, counting: &changes)
        case (.row, _):
            changes.removed += 1
            slots[entry.slot].removedAt = now
            tombstoneOrder.append(entry.slot)
            stamp(entry.slot, as: next)
        case (.tombstone, .row):
            changes.inserted += 1
            tombstoneOrder.remove(entry.slot)
            stamp(entry.slot, as: next)
        case (_, .row):
            changes.inserted += 1
            recency.insert(entry.slot)
            stamp(entry.slot, as: next)
        case (.tombstone, _):
            return false
        case (_, _):
            // Inserted and removed by the same commit: nobody was told.
            release(entry.slot)
            return false
        }
        return true
    }

    private mutating func settleRow(
        _ entry: JournalEntry, as next: Revision, counting changes: inout ChangeCounts
    ) -> Bool {
        let hasChanged = entry.fields.map { $0 != slots[entry.slot].row.fields } ?? false
        let isElsewhere = slots[entry.slot].row.position != entry.position
        guard hasChanged || isElsewhere else { return false }
        if hasChanged {
            changes.changed += 1
            slots[entry.slot].row.fieldsRevision = next
        }
        if isElsewhere {
            if entry.isMoved { changes.moved += 1 }
            slots[entry.slot].row.positionRevision = next
        }
        recency.remove(entry.slot)
        recency.insert(entry.slot)
        return true
    }

    /// Makes both halves of a slot of this revision, and the slot the newest.
    private mutating func stamp(_ slot: Int, as next: Revision) {
        slots[slot].row.fieldsRevision = next
        slots[slot].row.positionRevision = next
        recency.remove(slot)
        recency.insert(slot)
    }

    /// Makes a slot free that is in no chain.
    mutating func release(_ slot: Int) {
        index.remove(slot, KeyIndex.hash(of: slots[slot].row.key))
        slots[slot] = .free
        freeSlots.append(slot)
    }
}

/// A slot as it was before the commit being made touched it.
struct JournalEntry: Sendable {
    let slot: Int
    let life: Slot.Life
    let position: Position
    /// The fields, once they were given others: a row that only moves costs no look at them.
    var fields: Fields?
    /// Whether the row was taken from its place, rather than only made to give way.
    var isMoved = false
}
