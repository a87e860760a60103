import Testing

@testable import KeyedLists

struct KeyIndexTests {
    @Test func anEmptyIndexFindsNothing() {
        #expect(KeyIndex().number(7) { _ in true } == nil)
    }

    @Test func numbersOfOneHashAreToldApartByWhatTheyPointTo() {
        let words = ["zero", "one", "two"]
        var index = KeyIndex()
        for number in words.indices { index.insert(number, 5) }
        #expect(index.number(5) { words[$0] == "one" } == 1)
        #expect(index.number(5) { words[$0] == "three" } == nil)
        #expect(index.number(6) { _ in true } == nil)
    }

    /// Hashes that are few, and at either end of the table, so that entries are pushed on and around its end.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func itIsWhatADictionaryWouldBe(seed: UInt64) {
        print("itIsWhatADictionaryWouldBe: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let hashes: [KeyIndex.Hash] = (0..<60).map { _ in
            [.max, .max - 1, 0, 1, 15, .random(in: 0...40, using: &random)].randomElement(using: &random) ?? 0
        }
        var index = KeyIndex()
        var known: Set<Int> = []
        for _ in 0..<600 {
            let number = Int.random(in: 0..<60, using: &random)
            if known.remove(number) != nil {
                index.remove(number, hashes[number])
            } else {
                index.insert(number, hashes[number])
                known.insert(number)
            }
            let found = hashes.indices.filter { number in index.number(hashes[number]) { $0 == number } != nil }
            #expect(Set(found) == known && Set(index.numbers) == known && index.count == known.count)
        }
    }

    @Test func roomMadeAtOnceKeepsWhatIsThere() {
        var index = KeyIndex()
        index.insert(3, 8)
        index.reserveCapacity(1000)
        #expect(index.number(8) { $0 == 3 } == 3)
        #expect(index.count == 1)
    }
}
