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
