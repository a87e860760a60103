import KeyedLists
import Testing

struct ApplyTests {
    /// A client with the rows a, b, c at positions 10, 20, 30 and revision 5.
    private var client: KeyedList {
        get throws {
            let rows = ["a", "b", "c"].enumerated().map { number, key in
                Patch.Change(key: Key(key), position: number * 10 + 10, fields: row(key[...]).fields)
            }
            return try KeyedList(snapshot: rows, revision: 5)
        }
    }

    @Test func rowsAreSetAndRemovedByKey() throws {
        var client = try client
        let set = [
            Patch.Change(key: "c", position: 5), Patch.Change(key: "x", position: 12, fields: row("x").fields),
            Patch.Change(key: "y", position: 15, fields: row("y").fields),
            Patch.Change(key: "b", position: 20, fields: row("b=2").fields),
        ]
        try client.apply(Patch(from: 5, revision: 6, set: set, remove: ["a", "unknown"], count: 4))
        #expect(client.text == "c x y b=2")
        #expect(client.revision == 6)
        client.audit()
    }

    @Test func twoRowsMayChangePlaces() throws {
        var client = try client
        let set = [Patch.Change(key: "c", position: 10), Patch.Change(key: "a", position: 30)]
        try client.apply(Patch(from: 5, revision: 6, set: set, count: 3))
        #expect(client.text == "c b a")
        client.audit()
    }

    @Test(arguments: [3, 5])
    func anOldPatchIsIgnored(revision: Int) throws {
        var client = try client
        try client.apply(Patch(from: 1, revision: revision, remove: ["a"], count: 99))
        #expect(client.text == "a b c")
        #expect(client.revision == 5)
    }

    @Test(
        arguments: [
            (Patch(from: 6, revision: 7, count: 3), .gap(from: 6, revision: 5)),
            (Patch(from: 5, revision: 6, set: [.init(key: "x", position: 1)], count: 4), .unknownKey("x")),
            (
                Patch(from: 5, revision: 6, remove: ["a"], count: 3),
                .conflict("it leads to 2 rows, not to 3 as it says")
            ),
            (
                Patch(from: 5, revision: 6, set: [.init(key: "a", position: 30)], count: 3),
                .conflict("it puts a second row at position 30")
            ),
            (
                Patch(
                    from: 5, revision: 6, set: [.init(key: "a", position: 7), .init(key: "b", position: 7)], count: 3),
                .conflict("it puts a second row at position 7")
            ),
            (
                Patch(from: 5, revision: 6, set: [.init(key: "a", position: 0)], count: 3),
                .conflict("it puts the row \"a\" at position 0")
            ),
            (
                Patch(from: 5, revision: 6, set: [.init(key: "a", position: 7)], remove: ["a"], count: 2),
                .conflict("it names the row \"a\" twice")
            ),
        ] as [(Patch, PatchError)])
    func whatDoesNotFitChangesNothing(patch: Patch, error: PatchError) throws {
        var client = try client
        #expect(throws: error) { try client.apply(patch) }
        #expect(client.text == "a b c")
        #expect(client.revision == 5)
        client.audit()
    }

    @Test func aListWithAHistoryForgetsIt() throws {
        var list = KeyedList("a b c")
        _ = list.commit([.remove("b"), .remove("c")], at: 0)
        let set = [Patch.Change(key: "b", position: 7, fields: row("b").fields)]
        try list.apply(Patch(from: 2, revision: 3, set: set, count: 2))
        #expect(list.text == "b a")
        #expect(list.tombstoneCount == 0 && list.floor == 3)
        list.audit()
    }

    @Test func anEmptyPatchStillLeadsToItsRevision() throws {
        var client = try client
        try client.apply(Patch(from: 5, revision: 8, count: 3))
        #expect(client.revision == 8 && client.floor == 8)
    }
}
