import Testing

@testable import KeyedLists

struct CountedSlotsTests {
    @Test func ofNoSlotsThereIsNoneAtAnyIndex() {
        #expect(CountedSlots().slot(at: 0) == nil)
    }

    @Test func beforeTheFirstAndAfterTheLastThereIsNone() {
        let slots = made(of: [4, 7])
        #expect(slots.slot(at: -1) == nil && slots.slot(at: 2) == nil)
    }

    @Test(arguments: [1, 64, 65, 129, 64 * 64, 64 * 64 + 1, 9000])
    func eachHasTheIndexThatItWasAppendedAt(count: Int) {
        let slots = made(of: Array(0..<count))
        #expect((0..<count).allSatisfy { slots.index(of: $0) == $0 && slots.slot(at: $0) == $0 })
    }

    @Test(arguments: [65, 129, 9000])
    func whatComesFirstIsCountedBeforeTheRest(count: Int) {
        var slots = CountedSlots()
        for slot in 0..<count { slots.insert(slot) }
        #expect((0..<count).allSatisfy { slots.index(of: $0) == count - 1 - $0 })
    }

    @Test(arguments: [0, 1, 64, 65, 9000])
    func aPlaceIsFoundByACondition(count: Int) {
        let slots = made(of: Array(0..<count))
        for place in [0, 1, 63, 64, 65, count - 1, count] where 0...count ~= place {
            #expect(slots.count { $0 < place } == place)
        }
    }

    @Test func aListThatWasEmptiedIsFilledAnew() {
        var slots = made(of: Array(0..<9000))
        for slot in (0..<9000).shuffled() { slots.remove(slot) }
        #expect(slots.count == 0 && slots.slot(at: 0) == nil)
        slots.append(3)
        #expect(slots.index(of: 3) == 0 && slots.slot(at: 0) == 3)
    }

    /// In the midst, so that leaves and nodes are split; then down to few, so that they go.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func itIsWhatAnArrayWouldBe(seed: UInt64) {
        print("CountedSlotsTests.itIsWhatAnArrayWouldBe: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var slots = CountedSlots()
        var array: [Int] = []
        var free = Array(0..<12_000)
        for (growth, steps) in [(0.9, 12_000), (0.5, 3000), (0.1, 12_000), (0.5, 300)] {
            for step in 0..<steps {
                if array.isEmpty || Double.random(in: 0..<1, using: &random) < growth, let slot = free.popLast() {
                    let index = Int.random(in: 0...array.count, using: &random)
                    slots.insert(slot, after: index == 0 ? nil : array[index - 1])
                    array.insert(slot, at: index)
                } else if !array.isEmpty {
                    let slot = array.remove(at: Int.random(in: 0..<array.count, using: &random))
                    slots.remove(slot)
                    free.append(slot)
                }
                guard step % 500 == 0 else { continue }
                #expect(array.indices.allSatisfy { slots.slot(at: $0) == array[$0] })
                #expect(array.enumerated().allSatisfy { slots.index(of: $1) == $0 })
            }
        }
    }

    private func made(of order: [Int]) -> CountedSlots {
        order.reduce(into: CountedSlots()) { $0.append($1) }
    }
}
