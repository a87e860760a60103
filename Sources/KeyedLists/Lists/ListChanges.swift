/// What of a list is newer than one of its revisions, rows whole and with their revisions: what one who serves the list, too,
/// needs to go on with its history. A patch is what of it a watcher needs.
public struct ListChanges: Hashable, Sendable {
    /// The revision that they follow.
    public var from: Revision
    /// The revision that they lead to.
    public var revision: Revision
    /// The oldest revision that patches can begin at afterwards.
    public var floor: Revision
    /// The rows that are newer, in any order.
    public var rows: [PlacedRow]
    /// The tombstones that are newer, in any order.
    public var tombstones: [Tombstone]

    /// Makes changes; nothing is checked here, but when they are taken in.
    public init(
        from: Revision, revision: Revision, floor: Revision, rows: [PlacedRow] = [], tombstones: [Tombstone] = []
    ) {
        self.from = from
        self.revision = revision
        self.floor = floor
        self.rows = rows
        self.tombstones = tombstones
    }

    /// Whether they change no row.
    public var isEmpty: Bool { rows.isEmpty && tombstones.isEmpty }
}

extension KeyedList {
    /// What is newer than a revision, in one fold; `nil` where `patch(since:)` has none.
    public func changes(since base: Revision) -> ListChanges? {
        guard remembers(base) else { return nil }
        let touched = touched(since: base)
        return ListChanges(
            from: base, revision: revision, floor: floor, rows: touched.rows.map { slots[$0].row },
            tombstones: touched.tombstones.map { slots[$0].tombstone })
    }

    /// Goes on to the revision that changes lead to, with their history: `patch(since:)` is afterwards what it is where they
    /// were made. Changes to this revision or an earlier one do nothing.
    ///
    /// - Throws: `PatchError`, and nothing is changed: if they begin after this revision, or do not fit the rows that are there.
    public mutating func take(_ changes: ListChanges) throws(PatchError) {
        guard changes.from <= revision else { throw .gap(from: changes.from, revision: revision) }
        guard changes.revision > revision else { return }
        let removed = changes.tombstones.map(\.key)
        let set = changes.rows.map { Patch.Change(key: $0.key, position: $0.position, fields: $0.fields) }
        let (placements, _) = try placements(for: set, without: removed)
        for key in removed + changes.rows.map(\.key) { unbury(key) }
        for tombstone in changes.tombstones where slot(of: tombstone.key) != nil {
            slot(of: tombstone.key).map { forget($0) }
        }
        for placement in placements { slot(of: placement.change.key).map { order.remove($0) } }
        apply(placements)
        revision = changes.revision
        enter(changes)
        floor = max(floor, min(changes.floor, revision))
        prune(keeping: .max, newerThan: .min)
    }

    /// Lets go of the tombstone with this key, if there is one.
    private mutating func unbury(_ key: Key) {
        guard let slot = anySlot(of: key), slots[slot].life == .tombstone else { return }
        tombstoneOrder.remove(slot)
        recency.remove(slot)
        release(slot)
    }

    /// Gives rows their fields and revisions, and makes tombstones, the oldest first, so that the newest is the most recent.
    private mutating func enter(_ changes: ListChanges) {
        let rows = changes.rows.sorted { $0.revision < $1.revision }[...]
        var tombstones = changes.tombstones.sorted { $0.revision < $1.revision }[...]
        for row in rows {
            while let next = tombstones.first, next.revision <= row.revision { bury(tombstones.removeFirst()) }
            guard let slot = slot(of: row.key) else { preconditionFailure("The row was placed.") }
            slots[slot].row = row
            recency.remove(slot)
            recency.insert(slot)
        }
        for tombstone in tombstones { bury(tombstone) }
    }

    private mutating func bury(_ tombstone: Tombstone) {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        slots[slot] = Slot(tombstone)
        index.insert(slot, KeyIndex.hash(of: tombstone.key))
        tombstoneOrder.append(slot)
        recency.insert(slot)
    }
}
