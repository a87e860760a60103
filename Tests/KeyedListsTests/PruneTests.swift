import KeyedLists
import Testing

struct PruneTests {
    /// A list whose rows b, c, d were removed at revisions 2, 3, 4 and times 20, 30, 40.
    private var list: KeyedList {
        var list = KeyedList("a b c d e")
        for (number, key) in ["b", "c", "d"].enumerated() {
            _ = list.commit([.remove(Key(key))], at: Int64(number * 10 + 20))
        }
        return list
    }

    @Test(arguments: [(3, 0, 0), (2, 0, 2), (0, 0, 4), (9, 19, 0), (9, 20, 2), (9, 39, 3), (1, 20, 3), (9, 99, 4)])
    func theOldestGoFirst(count: Int, time: Int64, floor: Int) {
        var list = list
        list.prune(keeping: count, newerThan: time)
        #expect(list.floor == floor)
        #expect(list.tombstoneCount == 4 - max(1, floor))
        #expect(list.revision == 4)
        list.audit()
    }

    @Test func belowTheFloorThereIsNoPatch() {
        var list = list
        list.prune(keeping: 1, newerThan: 0)
        #expect(list.patch(since: 2) == nil)
        #expect(list.patch(since: 3)?.text == "-d")
        #expect(list.text == "a e")
    }

    @Test func tombstonesOfOneCommitGoTogether() {
        var list = KeyedList("a b c d")
        _ = list.commit([.remove("b"), .remove("c")], at: 0)
        _ = list.commit([.remove("d")], at: 0)
        list.prune(keeping: 2, newerThan: -1)
        #expect(list.floor == 2)
        #expect(list.tombstoneCount == 1)
        list.audit()
    }

    @Test func theNextCommitTellsTheStore() {
        var list = list
        list.prune(keeping: 0, newerThan: 0)
        #expect(list.commit([.set(row("b"), .last)], at: 0)?.floor == 4)
        list.audit()
    }
}
