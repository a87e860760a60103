import KeyedLists
import Testing

struct RandomHistoryTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func everyPageEndsWithTheRowsOfTheList(seed: UInt64) throws {
        print("everyPageEndsWithTheRowsOfTheList: seed \(seed)")
        var history = RandomHistory(seed: seed, keys: seed % 2 == 0 ? 8 : 40)
        for _ in 0..<100 { try history.step() }
        try history.catchUp(pages: .max)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func alsoWhereThereIsNoRoom(seed: UInt64) throws {
        print("alsoWhereThereIsNoRoom: seed \(seed)")
        let ends = [1, 1 << 40, 1 << 52, 1 << 53 - 20]
        let rows = (0..<20).map { number in
            PlacedRow(
                key: Key("k\(number + 2)"), fields: Fields(), position: ends[Int(seed) % 4] + number,
                fieldsRevision: 1, positionRevision: 1)
        }
        let list = try KeyedList(revision: 1, floor: 1, rows: rows, tombstones: [])
        var history = RandomHistory(seed: seed, keys: 30, beginning: list)
        for _ in 0..<60 { try history.step() }
        try history.catchUp(pages: .max)
    }
}
