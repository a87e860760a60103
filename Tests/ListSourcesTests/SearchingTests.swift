import KeyedLists
import ListSources
import Testing

@testable import SQLiteSources

struct SearchingTests {
    private struct Found: SearchResult {
        var count = 0
        var isWhole = true
        var size = 0
    }

    private let start = ContinuousClock.now

    private func query(_ number: Int) throws -> RowQuery { try RowQuery(find: "word\(number)", filter: [], sort: []) }

    // MARK: What is remembered

    @Test func whatWasAskedForLeastRecentlyIsForgottenFirst() throws {
        var searches = RecentSearches<Found>()
        for number in 0..<65 {
            try searches.keep(Found(), of: query(number), at: start + .milliseconds(number))
        }
        #expect(try searches[query(0)] == nil && searches[query(1)] != nil && searches[query(64)] != nil)
    }

    @Test func allRowsInTheirOrderAreAlwaysRemembered() throws {
        var searches = RecentSearches<Found>()
        try searches.keep(Found(), of: RowQuery(), at: start)
        for number in 0..<200 { try searches.keep(Found(), of: query(number), at: start) }
        #expect(searches[RowQuery()] != nil)
    }

    @Test func whatIsUnderWayStaysAsLongAsSomebodyAsks() throws {
        var searches = RecentSearches<Found>()
        for number in 0..<64 { try searches.keep(Found(isWhole: false), of: query(number), at: start) }
        let error = #expect(throws: SourceError.self) {
            try searches.keep(Found(isWhole: false), of: query(64), at: start + .seconds(9))
        }
        #expect(error?.message == "Too many people look for something in this list. Try again in a moment.")
        for number in 1..<64 { try searches.keep(Found(isWhole: false), of: query(number), at: start + .seconds(9)) }

        try searches.keep(Found(isWhole: false), of: query(64), at: start + .seconds(11))

        #expect(try searches[query(0)] == nil)
        for number in 1...64 { #expect(try searches[query(number)] != nil) }
    }

    @Test func whatTakesTooMuchMemoryTogetherIsForgotten() throws {
        var searches = RecentSearches<Found>()
        for number in 0..<5 {
            try searches.keep(Found(size: 10 << 20), of: query(number), at: start + .milliseconds(number))
        }
        for number in 0..<5 { #expect(try (searches[query(number)] != nil) == (number > 1)) }
        // One alone may take more: it would be looked for again and again.
        try searches.keep(Found(size: 100 << 20), of: query(9), at: start)
        #expect(try searches[query(9)] != nil && searches[query(4)] == nil)
    }

    // MARK: Turns

    @Test func aTurnIsOverOnceAWindowHasItsRows() {
        var turn = SearchTurn(for: .first(10, count: 5), having: 12)
        #expect(!turn.isOver(having: 12) && !turn.isOver(having: 14) && turn.isOver(having: 15))
    }

    @Test(
        arguments: [
            (.first(0, count: 5), 5), (.first(0, count: 5), 9), (.last(3), 0), (.around("a", before: 1, after: 1), 0),
            (nil, 0),
        ] as [(Window?, Int)])
    func whoWaitsForNoMoreRowsHasAWholeTurn(window: Window?, found: Int) {
        var turn = SearchTurn(for: window, having: found)
        #expect((0..<999).allSatisfy { !turn.isOver(having: found + $0) })
    }

    @Test(
        arguments: [
            (.first(2, count: 5), 2, false, false), (.first(2, count: 5), 3, false, true),
            (.first(2, count: 5), 0, true, true),
            (.last(1), 9, false, false), (.last(1), 9, true, true), (nil, 9, false, false), (nil, 0, true, true),
        ] as [(Window?, Int, Bool, Bool)])
    func whatIsShownIsSomeRowOrAll(window: Window?, count: Int, isWhole: Bool, isShown: Bool) {
        #expect(Found(count: count, isWhole: isWhole).suffices(for: window) == isShown)
    }
}
