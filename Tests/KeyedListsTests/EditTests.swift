import KeyedLists
import Testing

struct EditTests {
    @Test func anEmptyListIsAtRevisionZero() {
        let list = KeyedList()
        #expect(list.revision == 0 && list.floor == 0 && list.isEmpty)
        #expect(list.patch(since: 0) == Patch(from: 0, revision: 0, count: 0))
    }

    @Test(arguments: [
        (Place.kept, "x a b c"), (.first, "x a b c"), (.last, "a b c x"), (.before("b"), "a x b c"),
        (.after("b"), "a b x c"), (.after("c"), "a b c x"), (.before("unknown"), "x a b c"),
        (.after("x"), "x a b c"),
    ])
    func aNewRowGoesWhereItIsTold(place: Place, text: String) {
        var list = KeyedList("a b c")
        let commit = list.commit([.set(row("x"), place)], at: 0)
        #expect(list.text == text)
        #expect(commit?.changes == ChangeCounts(inserted: 1))
        #expect(commit?.patch.text == "+x")
        list.audit()
    }

    @Test(arguments: [
        (Place.first, "c a b d"), (.last, "a b d c"), (.before("b"), "a c b d"), (.before("a"), "c a b d"),
        (.after("a"), "a c b d"), (.after("d"), "a b d c"),
    ])
    func aKnownRowMovesWhereItIsTold(place: Place, text: String) {
        var list = KeyedList("a b c d")
        let commit = list.commit([.set(row("c"), place)], at: 0)
        #expect(list.text == text)
        #expect(commit?.changes == ChangeCounts(moved: 1))
        #expect(commit?.patch.text == "c")
        list.audit()
    }

    @Test(arguments: [
        Place.kept, .before("d"), .after("b"), .before("c"), .after("c"), .before("unknown"), .after("unknown"),
    ])
    func aRowThatIsThereAlreadyMakesNoRevision(place: Place) {
        // Without e, c is not midway between its neighbours: placed anew, it would get another position.
        var list = KeyedList("a b c e d")
        _ = list.commit([.remove("e")], at: 0)
        #expect(list.commit([.set(row("c"), place)], at: 0) == nil)
        #expect(list.revision == 2)
        list.audit()
    }

    @Test(arguments: [
        (Place.first, "c a b d"), (.last, "a b d c"), (.before("b"), "a c b d"), (.after("a"), "a c b d"),
    ])
    func aMoveNeedsNoFields(place: Place, text: String) {
        var list = KeyedList("a b c d")
        let commit = list.commit([.move("c", place)], at: 0)
        #expect(list.text == text)
        #expect(commit?.changes == ChangeCounts(moved: 1))
        #expect(commit?.patch.text == "c")
        list.audit()
    }

    @Test func aMoveOfARowThatIsNotThereMakesNoRevision() {
        var list = KeyedList("a b")
        _ = list.commit([.remove("b")], at: 0)
        #expect(list.commit([.move("b", .first), .move("unknown", .last), .move("a", .kept)], at: 0) == nil)
        #expect(list.text == "a")
        list.audit()
    }

    @Test func nothingMakesNoRevision() {
        var list = KeyedList("a")
        #expect(list.commit([], at: 0) == nil)
        #expect(list.commit([.remove("unknown")], at: 0) == nil)
        #expect(list.commit([.set(row("a"), .first)], at: 0) == nil)
        #expect(list.commit([.set(row("a"), .last)], at: 0) == nil)
        #expect(list.revision == 1)
    }

    @Test func changedFieldsKeepTheirPlace() {
        var list = KeyedList("a b c")
        let commit = list.commit([.set(row("b=2"), .kept)], at: 0)
        #expect(list.text == "a b=2 c")
        #expect(commit?.changes == ChangeCounts(changed: 1))
        #expect(list["b"]?.fieldsRevision == 2 && list["b"]?.positionRevision == 1)
    }

    @Test func aRemovedRowLeavesATombstone() {
        var list = KeyedList("a b c")
        let commit = list.commit([.remove("b")], at: 77)
        #expect(list.text == "a c")
        #expect(list["b"] == nil)
        #expect(commit?.patch.text == "-b")
        #expect(commit?.patch.count == 2)
        #expect(commit?.tombstones == [Tombstone(key: "b", revision: 2, removedAt: 77)])
        list.audit()
    }

    @Test func aRowThatComesAgainDropsItsTombstone() {
        var list = KeyedList("a b")
        _ = list.commit([.remove("b")], at: 0)
        let commit = list.commit([.set(row("b"), .last)], at: 0)
        #expect(commit?.changes == ChangeCounts(inserted: 1))
        #expect(list.tombstoneCount == 0)
        #expect(list.patch(since: 1)?.text == "+b")
        #expect(list.patch(since: 2)?.text == "+b")
        list.audit()
    }

    @Test func aStepFindsWhatThoseBeforeItLeft() {
        var list = KeyedList("a b")
        let commit = list.commit(
            [.set(row("x"), .first), .set(row("y"), .after("x")), .remove("a"), .set(row("b=2"), .before("x"))], at: 0)
        #expect(list.text == "b=2 x y")
        #expect(commit?.changes == ChangeCounts(inserted: 2, changed: 1, moved: 1, removed: 1))
        #expect(list.revision == 2)
        list.audit()
    }

    @Test func whatComesToNothingMakesNoRevision() {
        var list = KeyedList("a b")
        _ = list.commit([.remove("b")], at: 5)
        let before = list.patch(since: 0)
        #expect(list.commit([.set(row("x"), .last), .remove("x")], at: 9) == nil)
        #expect(list.commit([.set(row("b"), .last), .remove("b")], at: 9) == nil)
        #expect(list.commit([.set(row("a=2"), .kept), .set(row("a"), .kept)], at: 9) == nil)
        #expect(list.revision == 2)
        #expect(list.patch(since: 0) == before)
        #expect(list["x"] == nil && list.tombstoneCount == 1)
        list.audit()
    }

    @Test func aRowRemovedAndPutBackInOneCommitIsMovedAtMost() {
        var list = KeyedList("a b c")
        let commit = list.commit([.remove("a"), .set(row("a"), .last)], at: 0)
        #expect(list.text == "b c a")
        #expect(commit?.patch.text == "a")
        #expect(list.tombstoneCount == 0)
        list.audit()
    }
}
