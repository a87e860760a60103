import Testing

@testable import KeyedLists

struct WindowTests {
    private let list = KeyedList("a b c d e")

    @Test(
        arguments: [
            (.first(0, count: 2), 0..<2), (.first(3, count: 9), 3..<5), (.first(9, count: 2), 5..<5),
            (.first(1, count: 0), 1..<1),
            (.around("c", before: 1, after: 1), 1..<4), (.around("a", before: 9, after: 0), 0..<1),
            (.around("e", before: 0, after: 9), 4..<5), (.last(2), 3..<5), (.last(9), 0..<5),
            (.first(.min, count: .max), 0..<5), (.around("c", before: .min, after: .min), 2..<3), (.last(.min), 5..<5),
            (.around("c", before: .max, after: .max), 0..<5), (.last(.max), 0..<5),
        ] as [(Window, Range<Int>)])
    func aWindowEndsWhereTheListDoes(window: Window, range: Range<Int>) {
        #expect(list.range(of: window) == range)
    }

    @Test func aroundWhatIsNotThereIsNothing() {
        #expect(list.range(of: .around("x", before: 1, after: 1)) == nil)
    }
}
