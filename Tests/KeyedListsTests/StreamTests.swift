import KeyedLists
import Testing

struct StreamTests {
    @Test func rowsGoOnTopInTheOrderTheyAreYielded() {
        var list = KeyedList("a b")
        let commit = list.stream("x y z")
        #expect(list.text == "x y z a b")
        #expect(commit?.changes == ChangeCounts(inserted: 3))
        list.audit()
    }

    @Test func aLaterBatchFollowsTheOneBefore() {
        var list = KeyedList("a b")
        _ = list.stream("x y")
        _ = list.stream("z w", after: "y")
        #expect(list.text == "x y z w a b")
    }

    @Test(arguments: [("a b c d e", "c", "a b c d e"), ("a b c d e", "d", "d a b c e")])
    func theFirstStaysIfItIsAmongTheFirstThree(before: String, yielded: String, after: String) {
        var list = KeyedList(before)
        _ = list.stream(yielded)
        #expect(list.text == after)
    }

    @Test(arguments: [
        ("a b", "a b c d e f"), ("a c", "a b c d e f"), ("a d", "a b c d e f"), ("a e", "a e b c d f"),
        ("b a", "b a c d e f"), ("a d f", "a b c d e f"), ("a x d", "a x b c d e f"), ("f e d", "f e d a b c"),
    ])
    func aKnownRowStaysIfAtMostTwoLieBetween(yielded: String, after: String) {
        var list = KeyedList("a b c d e f")
        _ = list.stream(yielded)
        #expect(list.text == after)
        list.audit()
    }

    @Test func knownRowsTakeTheirNewFields() {
        var list = KeyedList("a b c")
        let commit = list.stream("a b=2 c")
        #expect(list.text == "a b=2 c")
        #expect(commit?.changes == ChangeCounts(changed: 1))
        #expect(list.stream("a b=2 c") == nil)
    }

    @Test func nothingIsRemovedUntilTheRunSucceeds() throws {
        var list = KeyedList("gone a b")
        _ = list.stream("a n")
        _ = list.stream("b", after: "n")
        #expect(list.text == "gone a n b")
        let commit = try list.replace(with: "a n b")
        #expect(commit?.patch.text == "-gone")
    }

    @Test func aSparedRowIsLeftAloneAndFollowed() {
        var list = KeyedList("a b c d e")
        _ = list.commit([.set(row("p=pushed"), .after("c")), .remove("e")], at: 0)
        _ = list.stream("a p=old x e y", sparing: ["p", "e"])
        #expect(list.text == "a b c p=pushed x y d")
        list.audit()
    }

    @Test func aRowYieldedTwiceIsTakenAsTheLater() {
        var list = KeyedList("a b")
        _ = list.stream("x=1 x=2 y x=3")
        #expect(list.text == "y x=3 a b")
        list.audit()
    }

    @Test func aKnownRowYieldedTwiceStays() {
        var list = KeyedList("a b c d")
        #expect(list.stream("b b c c") == nil)
        list.audit()
    }

    @Test func afterARowThatIsGoneItBeginsAgainOnTop() {
        var list = KeyedList("a b")
        _ = list.stream("x", after: "gone")
        #expect(list.text == "x a b")
    }

    @Test func anEmptyListIsFilledWithRoomBetween() {
        var list = KeyedList()
        _ = list.stream("a b c")
        let middle = 1 << 52
        let step = 1 << 30
        #expect(list.rows.map(\.position) == [middle, middle + step, middle + 2 * step])
    }

    @Test func streamedRowsLeaveTheGapToThoseAfterThem() {
        var list = KeyedList("a")
        _ = list.stream("x y z")
        let top = 1 << 52 - 1 << 30
        #expect(list.rows.map(\.position) == [top, top + 4096, top + 2 * 4096, 1 << 52])
    }
}
