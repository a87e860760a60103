import Testing

@testable import KeyedLists

struct WindowViewTests {
    private var list = KeyedList("a b c d e f g h i j")

    @Test func whereThereIsNothingYetItIsLaidOnceThereIs() throws {
        var list = KeyedList()
        var view = try #require(WindowView(.first(3, count: 2), of: list))
        let rows = (0..<9).map { Edit.set(ListRow(Key("k\($0)")), .last) }
        let made = list.commit(rows, at: 0)
        let commit = try #require(made)
        let patch = view.follow(PlacedCommit(commit), in: list)
        #expect(patch.set.map(\.key) == ["k3", "k4"] && view.place == WindowPlace(first: 3, total: 9))
    }

    @Test(
        arguments: [
            (.first(3, count: 4), "x y a b c d e f g h i j", "", 5, "d e f g"),
            (.first(3, count: 4), "a b c d e x f g h i j", "+x", 3, "d e x f g"),
            (.first(3, count: 4), "a b c e f g h i j", "-d", 3, "e f g"),
            (.first(3, count: 4), "a b c d f g h i e=2 j", "-e", 3, "d f g"),
            (.first(3, count: 4), "a b c d e=2 f g h i j", "+e", 3, "d e f g"),
            (.around("e", before: 1, after: 2), "h i j", "+h +i +j -d -e -f -g", 0, "h i j"),
            (.first(0, count: 3), "x a b c d e f g h i j", "+x -c", 0, "x a b"),
            (.first(0, count: 3), "b c d e f g h i j", "+d -a", 0, "b c d"),
            (.last(3), "a b c d e f g h i j x", "+x -h", 8, "i j x"),
            (.last(3), "a b c d e f g h", "+f +g -i -j", 5, "f g h"),
        ] as [(Window, String, String, Int, String)])
    func aWindowGoesOnWithItsList(window: Window, rows: String, patch: String, first: Int, seen: String) throws {
        var list = list
        var view = try #require(WindowView(window, of: list))
        let replaced = try list.replace(with: rows)
        let commit = try #require(replaced)
        let made = view.follow(PlacedCommit(commit), in: list)
        #expect(made.text == patch && made.count == view.count)
        #expect(view.place == WindowPlace(first: first, total: list.count))
        #expect(list.rows(in: view.range).map(\.key) == KeyedListsTests.rows(seen).map(\.key))
    }

    /// Else whoever looks at ten rows would be sent a million.
    @Test func anEdgeThatMovesFarAwayIsLeft() throws {
        var list = list
        var view = try #require(WindowView(.first(1, count: 2), of: list))
        let moved = list.commit([.move("c", .last)], at: 0)
        let commit = try #require(moved)
        #expect(view.follow(PlacedCommit(commit), in: list).text == "-c")
        #expect(view.range == 1..<2)
    }

    @Test func aWindowGrowsToTwiceWhatWasAskedFor() throws {
        var list = list
        var view = try #require(WindowView(.first(3, count: 2), of: list))
        for (key, range) in [("x", 3..<6), ("y", 3..<7), ("z", 3..<5)] {
            let inserted = list.commit([.set(row(Substring(key)), .after("d"))], at: 0)
            let commit = try #require(inserted)
            _ = view.follow(PlacedCommit(commit), in: list)
            #expect(view.range == range)
        }
    }

    @Test func anEmptyWindowFillsWithTheRowsNearestToWhereItWasAskedFor() throws {
        var list = KeyedList()
        var view = try #require(WindowView(.first(5, count: 2), of: list))
        let replaced = try list.replace(with: "a b c")
        let commit = try #require(replaced)
        #expect(view.follow(PlacedCommit(commit), in: list).text == "+b +c")
    }
}
