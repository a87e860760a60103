import Testing

@testable import KeyedLists

struct LinkedSlotsTests {
    @Test func anEmptyChainBeginsAndEndsNowhere() {
        let chain = LinkedSlots()
        #expect(chain.first == nil)
        #expect(chain.last == nil)
    }

    @Test func slotsFollowEachOtherAsTheyWereInserted() {
        var chain = LinkedSlots()
        chain.append(4)
        chain.append(7)
        chain.insert(0, after: 4)
        chain.insert(9)
        #expect(forwards(chain) == [9, 4, 0, 7])
        chain.remove(4)
        chain.remove(7)
        #expect(forwards(chain) == [9, 0])
        #expect(chain.last == 0)
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func itIsWhatAnArrayWouldBe(seed: UInt64) {
        print("itIsWhatAnArrayWouldBe: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var chain = LinkedSlots()
        var array: [Int] = []
        for _ in 0..<300 {
            let slot = Int.random(in: 0..<40, using: &random)
            if let index = array.firstIndex(of: slot) {
                chain.remove(slot)
                array.remove(at: index)
            } else {
                let index = Int.random(in: 0...array.count, using: &random)
                chain.insert(slot, after: index == 0 ? nil : array[index - 1])
                array.insert(slot, at: index)
            }
            #expect(forwards(chain) == array)
            #expect(backwards(chain) == array.reversed())
        }
    }

    private func forwards(_ chain: LinkedSlots) -> [Int] {
        Array(
            sequence(state: chain.first) { slot in
                defer { slot = slot.flatMap { chain.slot(after: $0) } }
                return slot
            })
    }

    private func backwards(_ chain: LinkedSlots) -> [Int] {
        Array(
            sequence(state: chain.last) { slot in
                defer { slot = slot.flatMap { chain.slot(before: $0) } }
                return slot
            })
    }
}
