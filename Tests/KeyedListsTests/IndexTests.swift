import Testing

@testable import KeyedLists

/// Where rows stand, by number.
struct IndexTests {
    let list = KeyedList("a b c d")

    @Test(arguments: [("a", 0), ("c", 2), ("d", 3)])
    func aRowHasAsManyBeforeItAsItsIndex(key: Key, index: Int) {
        #expect(list.index(of: key) == index)
    }

    @Test func whatIsNotThereHasNoIndex() {
        var list = list
        _ = list.commit([.remove("b")], at: 0)
        #expect(list.index(of: "b") == nil && list.index(of: "x") == nil && list.index(of: "c") == 1)
    }

    @Test(arguments: [(0..<2, "ab"), (1..<3, "bc"), (3..<9, "d"), (4..<9, ""), (2..<2, "")])
    func aRangeIsTheRowsFromItsFirstOn(range: Range<Int>, keys: String) {
        #expect(list.rows(in: range).map(\.key.string).joined() == keys)
    }
}
