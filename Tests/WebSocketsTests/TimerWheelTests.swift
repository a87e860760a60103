import Testing

@testable import WebSockets

@Suite struct TimerWheelTests {
    private final class Entry: WheelEntry {
        var place = WheelPosition()
        let number: Int
        init(_ number: Int) { self.number = number }
        func fire() {}
    }

    /// The numbers of what fires at `time`.
    private static func fired(_ wheel: inout TimerWheel, at time: UInt64) -> [Int] {
        var numbers: [Int] = []
        while let entry = wheel.next(at: time) as? Entry { numbers.append(entry.number) }
        return numbers
    }

    @Test(arguments: [1, 255, 256, 257, 16_383, 16_384, 16_640, 1 << 20, 1 << 26, 1 << 27] as [UInt64])
    func nothingFiresEarlyOrLate(_ delay: UInt64) {
        for start in [0, 1, 255, 256, 16_383, 999_983] as [UInt64] {
            var wheel = TimerWheel(now: start)
            wheel.set(Entry(7), at: start + delay)
            #expect(Self.fired(&wheel, at: start + delay - 1) == [])
            #expect(Self.fired(&wheel, at: start + delay) == [7])
            #expect(wheel.count == 0 && wheel.nextTime == nil)
        }
    }

    @Test func whatIsDueAtOneMomentFiresInTheOrderInWhichItWasSet() {
        var wheel = TimerWheel()
        let entries = (0..<10).map(Entry.init)
        for number in [3, 1, 2] { wheel.set(entries[number], at: 20_000) }
        #expect(Self.fired(&wheel, at: 19_990) == [])
        for number in [5, 4] { wheel.set(entries[number], at: 20_000) }
        #expect(Self.fired(&wheel, at: 30_000) == [3, 1, 2, 5, 4])
    }

    @Test func whatHasPassedIsDueAtOnceAndAfterWhatWasDueBefore() {
        var wheel = TimerWheel(now: 500)
        wheel.set(Entry(1), at: 400)
        wheel.set(Entry(2), at: 500)
        #expect(wheel.nextTime == 500)
        #expect(Self.fired(&wheel, at: 500) == [1, 2])
    }

    @Test func cancellingIsHarmlessAtAnyTime() {
        var wheel = TimerWheel()
        let entry = Entry(1)
        wheel.cancel(entry)
        wheel.set(entry, at: 10)
        wheel.cancel(entry)
        wheel.cancel(entry)
        #expect(Self.fired(&wheel, at: 20) == [])
        wheel.set(entry, at: 0)
        wheel.cancel(entry)
        wheel.set(entry, at: 0)
        #expect(Self.fired(&wheel, at: 20) == [1])
    }

    @Test func oneThatFiresMaySetItselfForTheSameMoment() {
        var wheel = TimerWheel()
        let entry = Entry(1)
        wheel.set(entry, at: 5)
        #expect(wheel.next(at: 5) === entry)
        wheel.set(entry, at: 5)
        #expect(wheel.next(at: 5) === entry)
        #expect(wheel.next(at: 5) == nil)
    }

    @Test func removingAllLeavesEntriesThatCanBeSetAgain() {
        var wheel = TimerWheel()
        let entries = (0..<4).map(Entry.init)
        for (entry, time) in zip(entries, [0, 5, 5000, 500_000] as [UInt64]) { wheel.set(entry, at: time) }
        wheel.removeAll()
        #expect(wheel.count == 0 && entries.allSatisfy { !$0.place.isSet })
        wheel.set(entries[2], at: 3)
        #expect(Self.fired(&wheel, at: 1_000_000) == [2])
    }

    /// Sets, cancels and turns by chance, and compares with a plain list.
    @Test(arguments: 0..<20) func itAgreesWithAList(_ run: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var dice = SeededGenerator(seed: seed)
        var now = UInt64.random(in: 0...5_000_000, using: &dice)
        var wheel = TimerWheel(now: now)
        let entries = (0..<200).map(Entry.init)
        var model: [(deadline: UInt64, order: Int, number: Int)] = []
        for step in 0..<2000 {
            let number = Int.random(in: 0..<200, using: &dice)
            model.removeAll { $0.number == number }
            if Bool.random(using: &dice) {
                let reach = UInt64(1) << UInt64.random(in: 0...24, using: &dice)
                let deadline = now + UInt64.random(in: 0...reach, using: &dice)
                wheel.set(entries[number], at: deadline)
                model.append((deadline, step, number))
            } else {
                wheel.cancel(entries[number])
            }
            if let next = wheel.nextTime, let first = model.map(\.deadline).min() {
                #expect(next <= max(first, now), "seed \(seed): it would wake too late")
            }
            #expect(wheel.count == model.count, "seed \(seed)")
            guard step % 3 == 0 else { continue }
            now += UInt64.random(in: 0...(1 << UInt64.random(in: 0...18, using: &dice)), using: &dice)
            let expected = model.filter { $0.deadline <= now }.sorted {
                ($0.deadline, $0.order) < ($1.deadline, $1.order)
            }
            model.removeAll { $0.deadline <= now }
            #expect(Self.fired(&wheel, at: now) == expected.map(\.number), "seed \(seed)")
        }
    }
}
