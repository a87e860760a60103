import Testing

@testable import RefreshableLists

/// Broadcasts share a loop with each other, and with everything else.
struct SliceSchedulerTests {
    private final class List {}

    private let big = List()
    private let small = List()

    @Test func aSliceIsOverAfterTwoMilliseconds() {
        var plan = SliceScheduler<List>()
        plan.add(big)

        #expect(plan.next(at: 1000) === big)
        #expect(plan.next(at: 1001) === big)
        #expect(plan.next(at: 1002) == nil)
        #expect(!plan.isEmpty)
    }

    @Test func theNextSliceBeginsWhenItIsAskedFor() {
        var plan = SliceScheduler<List>()
        plan.add(big)
        while plan.next(at: 1000) != nil, plan.next(at: 1002) != nil {}

        #expect(plan.next(at: 5000) === big)
        #expect(plan.next(at: 5001) === big)
        #expect(plan.next(at: 5002) == nil)
    }

    @Test func listsTakeTurnsAlsoFromSliceToSlice() {
        var plan = SliceScheduler<List>()
        plan.add(big)
        plan.add(small)

        #expect(plan.next(at: 0) === big)
        #expect(plan.next(at: 0) === small)
        #expect(plan.next(at: 0) === big)
        #expect(plan.next(at: 2) == nil)
        #expect(plan.next(at: 3) === small)
    }

    @Test func whatComesAnewIsServedAfterAllThatWait() {
        let third = List()
        var plan = SliceScheduler<List>()
        plan.add(big)
        plan.add(small)
        _ = plan.next(at: 0)
        plan.add(third)

        #expect(plan.next(at: 0) === small)
        #expect(plan.next(at: 0) === big)
        #expect(plan.next(at: 0) === third)
    }

    @Test func whatWaitsAlreadyKeepsItsTurn() {
        var plan = SliceScheduler<List>()
        plan.add(big)
        plan.add(small)
        plan.add(big)

        #expect(plan.next(at: 0) === big)
        #expect(plan.next(at: 0) === small)
        plan.remove(big)
        #expect(plan.next(at: 0) === small)
        plan.remove(small)
        #expect(plan.isEmpty && plan.next(at: 0) == nil)
    }

    /// Whatever comes and goes, nobody has two turns while another has none.
    @Test(arguments: [UInt64(1), 2, 3]) func nobodyIsPassedOver(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var plan = SliceScheduler<List>()
        var waiting: [(list: List, passed: Int)] = []
        for now in 0..<2000 {
            let choice = Int.random(in: 0..<10, using: &random)
            if choice < 3, waiting.count < 8 {
                waiting.append((List(), 0))
                plan.add(waiting[waiting.count - 1].list)
            } else if choice < 4, !waiting.isEmpty {
                plan.remove(waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random)).list)
            }
            guard let list = plan.next(at: Int64(now)) else { continue }
            for index in waiting.indices { waiting[index].passed += 1 }
            let index = waiting.firstIndex { $0.list === list }
            #expect(index != nil, "seed \(seed)")
            if let index { waiting[index].passed = 0 }
            #expect(waiting.allSatisfy { $0.passed < 16 }, "seed \(seed)")
        }
    }
}
