import KeyedLists

/// What a store should do with commits, done the plain way.
struct ModelStore {
    private var revision = 0
    private var floor = 0
    private var rows: [Key: PlacedRow] = [:]
    private var tombstones: [Key: Tombstone] = [:]

    init(_ list: KeyedList = KeyedList()) {
        revision = list.revision
        floor = list.floor
        for row in list.rows { rows[row.key] = row }
    }

    mutating func keep(_ commit: Commit) {
        revision = commit.revision
        floor = commit.floor
        for row in commit.rows {
            rows[row.key] = row
            tombstones[row.key] = nil
        }
        for tombstone in commit.tombstones {
            rows[tombstone.key] = nil
            tombstones[tombstone.key] = tombstone
        }
        tombstones = tombstones.filter { $0.value.revision > floor }
    }

    func restore() throws -> KeyedList {
        try KeyedList(
            revision: revision, floor: floor, rows: Array(rows.values), tombstones: Array(tombstones.values))
    }
}
