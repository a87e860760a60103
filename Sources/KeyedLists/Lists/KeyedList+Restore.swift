extension KeyedList {
    /// Makes the list again that a store has kept.
    ///
    /// - Parameters:
    ///   - revision: The newest revision.
    ///   - floor: The oldest revision that patches can begin at.
    ///   - rows: All rows, in any order.
    ///   - tombstones: All tombstones, in any order. Those of the floor and before are left out: they serve nobody.
    /// - Throws: `RestoreError` unless 0 ≤ floor ≤ revision < 2^53, keys and positions are unique, positions between 0 and
    ///   2^53, and revisions from 1 to `revision`.
    public init(
        revision: Revision, floor: Revision, rows: [PlacedRow], tombstones: [Tombstone]
    ) throws(RestoreError) {
        guard 0 <= floor, floor <= revision, revision < Labelling.limit else {
            throw .revisions(floor: floor, revision: revision)
        }
        self.revision = revision
        self.floor = floor
        slots.reserveCapacity(rows.count + tombstones.count)
        index.reserveCapacity(rows.count + tombstones.count)
        for row in rows.sorted(by: { $0.position < $1.position }) { try restore(row) }
        for tombstone in tombstones.sorted(by: { $0.revision < $1.revision }) { try restore(tombstone) }
        let byAge = slots.indices.sorted { slots[$0].row.revision < slots[$1].row.revision }
        for slot in byAge { recency.insert(slot) }
    }

    /// Makes the list of a snapshot, as a client holds it: without a history, so its floor is its revision.
    ///
    /// - Throws: `RestoreError` as for a stored list, and if a row has no fields.
    public init(snapshot rows: [Patch.Change], revision: Revision) throws(RestoreError) {
        var placed: [PlacedRow] = []
        placed.reserveCapacity(rows.count)
        for row in rows {
            guard let fields = row.fields else { throw .missingFields(row.key) }
            placed.append(
                PlacedRow(
                    key: row.key, fields: fields, position: row.position, fieldsRevision: revision,
                    positionRevision: revision))
        }
        try self.init(revision: revision, floor: revision, rows: placed, tombstones: [])
    }

    /// Appends a row that stands after all those restored before it.
    private mutating func restore(_ row: PlacedRow) throws(RestoreError) {
        guard 0 < row.position, row.position < Labelling.limit else { throw .position(row.position, row.key) }
        if let last = order.last, slots[last].row.position == row.position {
            throw .duplicatePosition(row.position, slots[last].row.key, row.key)
        }
        for half in [row.fieldsRevision, row.positionRevision] where half < 1 || half > revision {
            throw .revision(half, row.key)
        }
        order.append(try add(Slot(row)))
    }

    /// Appends a tombstone that is newer than those restored before it.
    private mutating func restore(_ tombstone: Tombstone) throws(RestoreError) {
        guard 1 <= tombstone.revision, tombstone.revision <= revision else {
            throw .revision(tombstone.revision, tombstone.key)
        }
        guard anySlot(of: tombstone.key) == nil else { throw .duplicateKey(tombstone.key) }
        guard tombstone.revision > floor else { return }
        tombstoneOrder.append(try add(Slot(tombstone)))
    }

    private mutating func add(_ slot: Slot) throws(RestoreError) -> Int {
        let hash = KeyIndex.hash(of: slot.row.key)
        guard anySlot(of: slot.row.key, hash) == nil else { throw .duplicateKey(slot.row.key) }
        index.insert(slots.count, hash)
        slots.append(slot)
        return slots.count - 1
    }
}

/// Why no list can be made of what a store, or a snapshot, holds.
public enum RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Revision and floor are not 0 ≤ floor ≤ revision < 2^53.
    case revisions(floor: Revision, revision: Revision)
    /// The key is there twice, as rows or tombstones.
    case duplicateKey(Key)
    /// Two rows have this position.
    case duplicatePosition(Position, Key, Key)
    /// The position is not between 0 and 2^53.
    case position(Position, Key)
    /// The row's or tombstone's revision is below 1 or above that of the list.
    case revision(Revision, Key)
    /// A row of a snapshot has no fields.
    case missingFields(Key)

    /// What we tried, what happened, and what to do.
    public var description: String {
        "Cannot restore the list: \(reason). Its history can't be trusted: start it anew, in a new epoch."
    }

    private var reason: String {
        switch self {
        case .revisions(let floor, let revision):
            "floor \(floor) and revision \(revision) are not 0 ≤ floor ≤ revision < 2^53"
        case .duplicateKey(let key):
            "the key \"\(key)\" is there twice"
        case .duplicatePosition(let position, let first, let second):
            "the rows \"\(first)\" and \"\(second)\" are both at position \(position)"
        case .position(let position, let key):
            "the row \"\(key)\" is at position \(position), not between 0 and 2^53"
        case .revision(let revision, let key):
            "\"\(key)\" is of revision \(revision), which is below 1 or above the list's own"
        case .missingFields(let key):
            "the row \"\(key)\" has no fields"
        }
    }
}
