import Testing

@testable import KeyedLists

struct DifferenceTests {
    @Test(arguments: [
        ([], 0), ([5], 1), ([1, 2, 3], 3), ([3, 2, 1], 1), ([9, 1, 2, 3], 3), ([2, 3, 4, 1], 3), ([1, 3, 2, 4], 3),
        ([4, 5, 6, 1, 2, 3], 3), ([10, 1, 9, 2, 8, 3], 3),
    ])
    func asManyAsPossibleStay(positions: [Int], count: Int) {
        expect(positions, toKeep: count)
    }

    @Test func noOrderOfSevenIsMissed() {
        permutations(of: Array(1...7)).forEach { expect($0, toKeep: longestIncreasing($0)) }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func noneOfManyIsMissed(seed: UInt64) {
        print("noneOfManyIsMissed: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var positions = Array(1...Int.random(in: 1...80, using: &random))
            if random.oneIn(2) { positions.shuffle(using: &random) }
            for _ in 0..<3 {
                let row = positions.remove(at: .random(in: positions.indices, using: &random))
                positions.insert(row, at: .random(in: 0...positions.count, using: &random))
            }
            expect(positions, toKeep: longestIncreasing(positions))
        }
    }

    private func expect(_ positions: [Int], toKeep count: Int) {
        let stays = Difference.staying(positions)
        let kept = zip(positions, stays).filter(\.1).map(\.0)
        #expect(stays.count == positions.count)
        #expect(kept == kept.sorted(), "\(positions)")
        #expect(kept.count == count, "\(positions)")
    }

    private func permutations(of elements: [Int]) -> [[Int]] {
        guard let first = elements.first else { return [[]] }
        return permutations(of: Array(elements.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
        }
    }
}
