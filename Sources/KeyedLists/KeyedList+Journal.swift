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
        for entry in journal {
            slots[entry.slot].entry = -1
            if settle(entry, as: base + 1, at: now, counting: &changes) { isChanged = true }
        }
        journal = []
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
