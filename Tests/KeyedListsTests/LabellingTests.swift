import Testing

@testable import KeyedLists

struct LabellingTests {
    private let end = 1 << 53
    private let middle = 1 << 52
    private let step = 1 << 30
    private let streamStep = 4096

    @Test func theFirstRowIsInTheMiddle() {
        #expect(positions(1, after: nil, before: nil) == [middle])
        #expect(positions(2, after: nil, before: nil) == [middle, middle + step])
    }

    @Test func theEndsStep() {
        #expect(positions(2, after: 1000, before: nil) == [1000 + step, 1000 + 2 * step])
        #expect(positions(2, after: nil, before: middle) == [middle - 2 * step, middle - step])
    }

    @Test func aRunIsSpreadEvenly() {
        #expect(positions(1, after: 100, before: 200) == [150])
        #expect(positions(3, after: 100, before: 200) == [125, 150, 175])
        #expect(positions(4, after: 10, before: 15) == [11, 12, 13, 14])
        #expect(positions(3, after: 100, before: 107) == [101, 103, 105])
        #expect(positions(2, after: 1, before: end - 1)?.allSatisfy { 1 < $0 && $0 < end - 1 } == true)
    }

    @Test func aClosedGapHasNoRoom() {
        #expect(Labelling.spread(1, after: 10, before: 11) == nil)
        #expect(Labelling.spread(4, after: 10, before: 14) == nil)
        #expect(Labelling.streamed(after: 10, before: 11) == nil)
    }

    @Test func zeroAndTheLimitAreNeverReached() {
        #expect(Labelling.spread(1, after: nil, before: step + step - 1) == nil)
        #expect(positions(1, after: nil, before: step + step) == [step])
        #expect(positions(1, after: end - step - step, before: nil) == [end - step])
        #expect(Labelling.spread(1, after: end - step - step + 1, before: nil) == nil)
        #expect(Labelling.spread(1 << 23, after: nil, before: nil) == nil)
    }

    @Test func aStreamedRowLeavesMostOfTheGap() {
        #expect(Labelling.streamed(after: 1 << 40, before: 1 << 41)?[0] == 1 << 40 + streamStep)
        #expect(Labelling.streamed(after: 1000, before: 1100)?[0] == 1050)
        #expect(Labelling.streamed(after: 1000, before: 1002)?[0] == 1001)
        #expect(Labelling.streamed(after: 1000, before: 1003)?[0] == 1001)
        #expect(Labelling.streamed(after: 1000, before: nil)?[0] == 1000 + step)
        #expect(Labelling.streamed(after: nil, before: middle)?[0] == middle - step)
    }

    @Test(arguments: [1, 2, 3, 7, 8, 100, 1 << 16, 100_000, 1 << 25, 1 << 26 - 1])
    func theLastRangeTakesAllRows(count: Int) {
        let ranges = Array(Labelling.ranges(around: middle, count: count))
        #expect(ranges.last.map { $0.capacity >= count } == true)
        #expect(ranges.last.map { $0.range.count <= middle } == true)
    }

    @Test(arguments: [2, 100, 100_000, 1 << 28])
    func aRangeIsAlignedAndWithinTheNext(count: Int) {
        for position in [1, 70, middle - 1, middle, end - 1] {
            let ranges = Labelling.ranges(around: position, count: count).map(\.range)
            #expect(ranges.allSatisfy { $0.contains(position) && $0.lowerBound % $0.count == 0 })
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $1.clamped(to: $0) == $0 && $1.count >= 4 * $0.count })
            #expect(ranges.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= end })
        }
    }

    @Test(arguments: [2, 100, 100_000, 1 << 28])
    func aFullRangeStillHasRoom(count: Int) {
        for (range, capacity) in Labelling.ranges(around: 1, count: count) {
            let spread = EvenPositions(capacity, between: range.lowerBound, and: range.upperBound)
            #expect(spread[0] > range.lowerBound && spread[capacity - 1] < range.upperBound)
            #expect(spread[1] > spread[0])
        }
    }

    @Test(arguments: [1, 2, 1000, 1 << 22, 1 << 24, 1 << 30])
    func aCentredListIsAQuarterFromTheEnds(count: Int) {
        let spread = Labelling.centred(count)
        #expect(spread[0] >= 1 << 51 && spread[count - 1] <= 3 << 51)
        #expect(count == 1 || spread[1] > spread[0])
        let centre = (spread[0] + spread[count - 1]) / 2
        #expect(abs(centre - middle) <= step)
    }

    private func positions(_ count: Int, after lower: Int?, before upper: Int?) -> [Int]? {
        Labelling.spread(count, after: lower, before: upper).map { spread in (0..<count).map { spread[$0] } }
    }
}
