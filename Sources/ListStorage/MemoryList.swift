import KeyedLists

/// What ``MemoryStore`` keeps of one list.
struct MemoryList: Sendable {
    var epoch = Epoch.random()
    var facts = StoredFacts()
    private var revision: Revision = 0
    private var floor: Revision = 0
    private var rows: [Key: PlacedRow] = [:]
    private var tombstones: [Key: Tombstone] = [:]

    init() {}

    /// Takes a commit; false if it does not follow the last one.
    mutating func keep(_ commit: Commit, facts: StoredFacts) -> Bool {
        guard commit.revision == revision + 1 else { return false }
        for row in commit.rows {
            rows[row.key] = row
            tombstones[row.key] = nil
        }
        for tombstone in commit.tombstones {
            rows[tombstone.key] = nil
            tombstones[tombstone.key] = tombstone
        }
        if commit.floor > floor {
            tombstones = tombstones.filter { $0.value.revision > commit.floor }
            floor = commit.floor
        }
        revision = commit.revision
        self.facts = facts
        return true
    }

    /// Whether it is the other list one commit later.
    func follows(_ other: MemoryList) -> Bool { revision == other.revision + 1 && epoch == other.epoch }

    /// The list, made again.
    func restored() throws(RestoreError) -> KeyedList {
        try KeyedList(
            revision: revision, floor: floor, rows: rows.values.sorted { $0.position < $1.position },
            tombstones: tombstones.values.sorted { $0.revision < $1.revision })
    }
}
