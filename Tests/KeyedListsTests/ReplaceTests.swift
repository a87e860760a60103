import KeyedLists
import Testing

struct ReplaceTests {
    @Test(arguments: [
        ("", "a b", ChangeCounts(inserted: 2)), ("a b", "", ChangeCounts(removed: 2)),
        ("a b c", "a=1 b c=2", ChangeCounts(changed: 2)),
        ("a b c d", "d a b c", ChangeCounts(moved: 1)), ("a b c d", "b c d a", ChangeCounts(moved: 1)),
        ("a b c d", "d c b a", ChangeCounts(moved: 3)),
        ("a b c d e", "a x c e=5 d", ChangeCounts(inserted: 1, changed: 1, moved: 1, removed: 1)),
        ("a b", "c d", ChangeCounts(inserted: 2, removed: 2)), ("a b c", "n o a b c", ChangeCounts(inserted: 2)),
    ])
    func theRowsBecomeThose(before: String, after: String, changes: ChangeCounts) throws {
        var list = KeyedList(before)
        let commit = try list.replace(with: after)
        #expect(list.text == after)
        #expect(commit?.changes == changes)
        list.audit()
    }

    @Test(arguments: ["", "a", "a b=3 c"])
    func theSameRowsMakeNoRevision(text: String) throws {
        var list = KeyedList(text)
        let revision = list.revision
        #expect(try list.replace(with: text) == nil)
        #expect(list.revision == revision)
        list.audit()
    }

    @Test(arguments: ["a b=1 c=2", "c=2 x a b=1", "b=1 a=new c=2"])
    func rowsThatAreAsTheyWereTakeNoMemoryOfTheirOwn(text: String) {
        var list = KeyedList("a b=1 gone c=2")
        _ = list.commit([.remove("gone")], at: 0)
        let yielded = rows(text + " gone=2")
        let shared = list.sharing(yielded)
        #expect(shared == yielded)
        for (mine, given) in zip(shared, yielded) {
            let known = list[mine.key]?.fields
            #expect((mine.fields.address == known?.address) == (given.fields == known), "\(mine.key)")
        }
    }

    @Test func onlyWhatMovedIsSent() throws {
        var list = KeyedList("a b c d e")
        #expect(try list.replace(with: "e a b c d")?.patch.text == "e")
        #expect(try list.replace(with: "e a c b d=2")?.patch.set.count == 2)
    }

    @Test(arguments: ["x a a", "a x x", "b a b", "gone x gone", "a b c a"])
    func aKeyThatComesTwiceIsNamedAndNothingChanges(text: String) throws {
        var list = KeyedList("a b c gone")
        _ = list.commit([.remove("gone")], at: 0)
        let before = list.patch(since: 0)
        let keys = text.split(separator: " ").map { Key(String($0)) }
        let twice = try #require(keys.enumerated().first { keys[..<$0.offset].contains($0.element) }?.element)
        #expect(throws: DuplicateKey(key: twice)) { try list.replace(with: text) }
        #expect(list.text == "a b c")
        #expect(list.patch(since: 0) == before)
        list.audit()
    }

    @Test func aRunIsSpreadEvenlyBetweenTwoThatStay() throws {
        var list = KeyedList("a b")
        let gap = 1 << 30
        _ = try list.replace(with: "a x y z b")
        let positions = list.rows.map(\.position)
        #expect(positions == (0..<5).map { positions[0] + $0 * gap / 4 })
    }

    @Test func aSparedRowIsNeitherChangedNorMovedNorRemoved() throws {
        var list = KeyedList("a b c")
        _ = list.commit([.set(row("b=pushed"), .kept), .set(row("n=pushed"), .first)], at: 0)
        let positions = list.rows.map(\.position)
        let commit = try list.replace(with: "b=old c a=2", sparing: ["b", "n"])
        #expect(commit?.changes == ChangeCounts(changed: 1, moved: 1))
        #expect(list["b"]?.fields["title"] == "pushed")
        #expect(list["n"]?.position == positions[0] && list["b"]?.position == positions[2])
        list.audit()
    }

    @Test func aSparedRowThatWasRemovedStaysAway() throws {
        var list = KeyedList("a b c")
        _ = list.commit([.remove("b")], at: 0)
        #expect(try list.replace(with: "a b c", sparing: ["b"]) == nil)
        #expect(try list.replace(with: "a never c", sparing: ["never"]) == nil)
        #expect(list.text == "a c")
        list.audit()
    }

    @Test func aRowPushedOnTopDuringARunStaysOnTop() throws {
        var list = KeyedList("a b")
        _ = list.commit([.set(row("pushed"), .first), .set(row("late"), .last)], at: 0)
        _ = try list.replace(with: "new a b end", sparing: ["pushed", "late"])
        #expect(list.text == "pushed new a b end late")
        list.audit()
    }

    @Test func aSparedKeyThatComesTwiceIsAnErrorToo() {
        var list = KeyedList("a b")
        #expect(throws: DuplicateKey(key: "b")) { try list.replace(with: "a b b", sparing: ["b"]) }
        #expect(throws: DuplicateKey(key: "x")) { try list.replace(with: "a x x", sparing: ["x"]) }
    }
}
