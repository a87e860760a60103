import KeyedLists
import Testing

struct RelabellingTests {
    @Test func makingRoomIsNotMoving() throws {
        var list = try KeyedList(
            revision: 1, floor: 0, rows: ["a", "b", "c"].enumerated().map { placed($1, 1000 + $0) }, tombstones: [])
        let commit = list.commit([.set(row("x"), .after("a"))], at: 0)
        #expect(list.text == "a x b c")
        #expect(commit?.changes == ChangeCounts(inserted: 1))
        #expect(commit?.patch.text == "a +x b c")
        list.audit()
    }

    @Test(arguments: [1, 1 << 53 - 3])
    func theEndsMakeRoomToo(position: Int) throws {
        let rows = ["a", "b", "c"].enumerated().map { placed($1, position + $0) }
        var list = try KeyedList(revision: 1, floor: 0, rows: rows, tombstones: [])
        _ = list.commit([.set(row("x"), .first), .set(row("y"), .last)], at: 0)
        #expect(list.text == "x a b c y")
        list.audit()
    }

    @Test(arguments: [1, 1 << 53 - 4])
    func anEndMakesRoomWhileOtherRowsAreOnTheirWay(position: Int) throws {
        let rows = ["a", "b", "c", "d"].enumerated().map { placed($1, position + $0) }
        var list = try KeyedList(revision: 1, floor: 0, rows: rows, tombstones: [])
        let commit = try list.replace(with: "d x a c b y")
        #expect(list.text == "d x a c b y")
        #expect(commit?.changes == ChangeCounts(inserted: 2, moved: 2))
        list.audit()
    }

    @Test func aRunLargerThanItsGapMakesRoomAtOnce() throws {
        let rows = (0..<50).map { placed("k\($0)", 1000 + $0) }
        var list = try KeyedList(revision: 1, floor: 0, rows: rows, tombstones: [])
        let run = (0..<500).map { ListRow("n\($0)") }
        let commit = try list.replace(with: rows.prefix(25).map(\.row) + run + rows.dropFirst(25).map(\.row), at: 0)
        #expect(commit?.changes == ChangeCounts(inserted: 500))
        list.audit()
    }

    @Test(arguments: Pattern.allCases)
    func thousandsAtOnePlaceMoveFewOthersEach(pattern: Pattern) {
        var list = KeyedList("a b")
        var random = SeededGenerator(seed: 7)
        var moved = 0
        let count = 4000
        for number in 0..<count {
            let commit = list.commit([pattern.edit(number, using: &random)], at: 0)
            moved += (commit?.patch.set.count ?? 0) - 1
        }
        print("\(pattern): \(Double(moved) / Double(count)) rows made room for each of \(count)")
        // log₂ 4000 is 12.
        #expect(moved < 12 * count)
        #expect(list.count == count + 2)
        list.audit()
    }

    @Test func aHundredThousandAtOnePlaceStayInOrder() {
        var list = KeyedList("a b")
        let edits = (0..<100_000).map { Edit.set(ListRow(key: Key("\($0)")), .after("a")) }
        #expect(list.commit(edits, at: 0)?.changes == ChangeCounts(inserted: 100_000))
        let expected = ["a"] + (0..<100_000).reversed().map { "\($0)" } + ["b"]
        #expect(list.rows.map(\.key.string) == expected)
        list.audit()
    }

    /// Where one row after another goes.
    enum Pattern: CaseIterable {
        case first, last, afterOne, beforeOne, afterThePrevious, alternating, near

        func edit(_ number: Int, using random: inout SeededGenerator) -> Edit {
            let row = ListRow("\(number)")
            switch self {
            case .first: return .set(row, .first)
            case .last: return .set(row, .last)
            case .afterOne: return .set(row, .after("a"))
            case .beforeOne: return .set(row, .before("b"))
            case .afterThePrevious: return .set(row, .after(number == 0 ? "a" : Key("\(number - 1)")))
            case .alternating: return .set(row, number % 2 == 0 ? .after("a") : .before(Key("\(number - 1)")))
            case .near:
                return .set(row, .after(number == 0 ? "a" : Key("\(Int.random(in: 0..<number, using: &random) / 50)")))
            }
        }
    }

    private func placed(_ key: String, _ position: Int) -> PlacedRow {
        PlacedRow(
            key: Key(key), fields: row(key[...]).fields, position: position, fieldsRevision: 1, positionRevision: 1)
    }
}
