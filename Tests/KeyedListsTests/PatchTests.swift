import KeyedLists
import Testing

struct PatchTests {
    @Test func aPatchSinceNothingHasAllRowsInOrder() {
        var list = KeyedList("a b c")
        _ = list.commit([.set(row("c"), .first), .remove("b")], at: 0)
        #expect(list.patch(since: 0)?.text == "+c +a -b")
        #expect(list.patch(since: 0)?.count == 2)
    }

    @Test func aPatchSinceNowIsEmpty() {
        let list = KeyedList("a b")
        #expect(list.patch(since: 1) == Patch(from: 1, revision: 1, count: 2))
        #expect(list.patch(since: 1)?.isEmpty == true)
    }

    @Test func aPatchFromElsewhereIsNone() {
        let list = KeyedList("a")
        #expect(list.patch(since: 2) == nil)
        #expect(list.patch(since: -1) == nil)
        #expect((-1...2).map { list.remembers($0) } == [false, true, true, false])
    }

    @Test func aFoldLeavesOutFieldsThatTheWatcherHas() {
        var list = KeyedList("a b c")
        _ = list.commit([.set(row("b=2"), .kept)], at: 0)
        _ = list.commit([.set(row("b=2"), .first)], at: 0)
        #expect(list.patch(since: 1)?.text == "+b")
        #expect(list.patch(since: 2)?.text == "b")
    }

    @Test func aCommitIsThePatchSinceTheRevisionBefore() throws {
        var list = KeyedList("a b c")
        let made = list.commit([.set(row("c=3"), .first), .remove("a"), .set(row("n"), .last)], at: 0)
        let commit = try #require(made)
        #expect(commit.patch == list.patch(since: 1))
        #expect(commit.revision == 2)
        #expect(commit.rows == commit.patch.set.map { list[$0.key] })
    }
}
