import KeyedLists
import Testing

struct RestoreTests {
    @Test func aListIsRestoredWithItsHistory() throws {
        var list = KeyedList("a b c d")
        _ = list.commit([.remove("b")], at: 5)
        _ = list.commit([.set(row("d=4"), .first)], at: 6)
        let restored = try KeyedList(
            revision: 3, floor: 0, rows: list.rows.reversed(),
            tombstones: [Tombstone(key: "b", revision: 2, removedAt: 5)])
        #expect(Array(restored.rows) == Array(list.rows))
        for base in 0...3 { #expect(restored.patch(since: base) == list.patch(since: base)) }
        restored.audit()
    }

    @Test func tombstonesThatServeNobodyAreLeftOut() throws {
        let list = try KeyedList(
            revision: 9, floor: 4, rows: [],
            tombstones: [4, 5].map { Tombstone(key: Key("\($0)"), revision: $0, removedAt: 0) })
        #expect(list.tombstoneCount == 1)
        list.audit()
    }

    @Test(arguments: [(-1, 0), (3, 2), (0, 1 << 53), (1, -1)])
    func revisionsAreChecked(floor: Int, revision: Int) {
        #expect(throws: RestoreError.revisions(floor: floor, revision: revision)) {
            try KeyedList(revision: revision, floor: floor, rows: [], tombstones: [])
        }
    }

    @Test(
        arguments: [
            ([placed("a", 1), placed("a", 2)], [], .duplicateKey("a")),
            ([placed("a", 1)], [Tombstone(key: "a", revision: 3, removedAt: 0)], .duplicateKey("a")),
            ([], [1, 2].map { Tombstone(key: "t", revision: $0, removedAt: 0) }, .duplicateKey("t")),
            ([placed("a", 7), placed("b", 7)], [], .duplicatePosition(7, "a", "b")),
            ([placed("a", 0)], [], .position(0, "a")), ([placed("a", 1 << 53)], [], .position(1 << 53, "a")),
            ([placed("a", -5)], [], .position(-5, "a")), ([placed("a", 1, fields: 0)], [], .revision(0, "a")),
            ([placed("a", 1, moved: 6)], [], .revision(6, "a")), ([placed("a", 1, fields: 6)], [], .revision(6, "a")),
            ([], [Tombstone(key: "t", revision: 6, removedAt: 0)], .revision(6, "t")),
            ([], [Tombstone(key: "t", revision: 0, removedAt: 0)], .revision(0, "t")),
        ] as [([PlacedRow], [Tombstone], RestoreError)])
    func whatContradictsItselfIsNoList(rows: [PlacedRow], tombstones: [Tombstone], error: RestoreError) {
        #expect(throws: error) { try KeyedList(revision: 5, floor: 0, rows: rows, tombstones: tombstones) }
    }

    @Test func aSnapshotIsAListWithoutHistory() throws {
        let list = KeyedList("a b")
        let snapshot = list.rows.map { Patch.Change(key: $0.key, position: $0.position, fields: $0.fields) }
        let client = try KeyedList(snapshot: snapshot, revision: 9)
        #expect(client.text == "a b")
        #expect(client.revision == 9 && client.floor == 9)
        #expect(throws: RestoreError.missingFields("a")) {
            try KeyedList(snapshot: [Patch.Change(key: "a", position: 1)], revision: 1)
        }
    }
}

private func placed(_ key: Key, _ position: Int, fields: Int = 1, moved: Int = 1) -> PlacedRow {
    PlacedRow(key: key, fields: Fields(), position: position, fieldsRevision: fields, positionRevision: moved)
}
