import KeyedLists
import ListProtocol
import RefreshableListsClient
import Testing

@testable import RefreshableCommand

struct DrawnListTests {
    private var drawn = DrawnList("fruit")
    private var known = 0

    @Test mutating func firstRowsAreNoNewsAndLaterOnesForAWhile() {
        receive(at: 1, keys: 0..<3, now: 0)
        #expect(drawn.content(now: 0, room: 9).marks.isEmpty)
        receive(at: 2, keys: 0..<4, now: 1000)
        #expect(drawn.content(now: 3999, room: 9).marks == ["3": .inserted])
        #expect(drawn.isMoving(now: 3999))
        #expect(drawn.content(now: 4000, room: 9).marks.isEmpty)
        #expect(!drawn.isMoving(now: 4000))
    }

    @Test mutating func scrollingStaysWithinTheRows() {
        receive(at: 1, keys: 0..<10, now: 0)
        let places = [KeyPress.up, .down, .pageDown, .pageDown, .pageDown, .pageUp, .bottom, .top].map { press in
            drawn.scroll(press, room: 4, now: 0)
            return drawn.content(now: 0, room: 4).top
        }
        #expect(places == [0, 1, 5, 6, 6, 2, 6, 0])
    }

    @Test mutating func aListThatShrinksIsSeenFromItsEnd() {
        receive(at: 1, keys: 0..<10, now: 0)
        drawn.scroll(.bottom, room: 4, now: 0)
        receive(at: 2, keys: 0..<5, now: 0)
        #expect(drawn.content(now: 0, room: 4).top == 1)
    }

    @Test mutating func aLossIsSaidUntilTheServerIsBack() {
        let loss = ListClient.Loss(reason: "gone", since: 0, retryAfter: .seconds(2))
        drawn.receive(.connection(.offline(loss)), now: 0)
        #expect(drawn.content(now: 0, room: 4).notice == "Lost the server (gone). Trying again in 2.0 s.")
        drawn.receive(.state(ListState(list: "fruit", phase: .waiting)), now: 0)
        #expect(drawn.content(now: 0, room: 4).notice == nil)
    }

    @Test mutating func theOutcomeIsReadableForAWhileThoughTheListWaitsAgain() {
        let last = LastRun(run: "r2", outcome: .success, duration: 9, changes: ChangeCounts())
        drawn.receive(.state(ListState(list: "fruit", phase: .waiting)), now: 0)
        #expect(!drawn.content(now: 0, room: 4).showsOutcome)
        drawn.receive(.state(ListState(list: "fruit", phase: .closing, last: last)), now: 1000)
        drawn.receive(.state(ListState(list: "fruit", phase: .waiting, last: last)), now: 1600)
        #expect(drawn.content(now: 3999, room: 4).showsOutcome && drawn.isMoving(now: 3999))
        #expect(!drawn.content(now: 4000, room: 4).showsOutcome)
    }

    @Test mutating func theOutcomeOfARunBeforeOneCameIsNoNews() {
        let last = LastRun(run: "r2", outcome: .success, duration: 9, changes: ChangeCounts())
        drawn.receive(.state(ListState(list: "fruit", phase: .waiting, last: last)), now: 0)
        #expect(!drawn.content(now: 0, room: 4).showsOutcome)
    }

    // MARK: Of a long list, a part

    @Test mutating func rowsThatAreScrolledToAreLookedAtBeforeTheyAreSeen() {
        receive(at: 1, keys: 0..<300, of: 10_000)
        #expect(drawn.nextView(room: 20) == nil)
        for _ in 0..<14 { drawn.scroll(.pageDown, room: 20, now: 0) }
        #expect(drawn.nextView(room: 20) == ViewRequest(.first(140, count: 300)))
        #expect(drawn.nextView(room: 20) == nil, "one question at a time")
        receive(at: 1, keys: 140..<440, of: 10_000)
        drawn.looked(nil)
        let content = drawn.content(now: 0, room: 20)
        #expect((content.top, content.first, content.total) == (280, 140, 10_000))
        #expect(content.marks.isEmpty, "what comes into another part is not new")
        drawn.scroll(.bottom, room: 20, now: 0)
        #expect(drawn.nextView(room: 20) == ViewRequest(.last(300)))
        drawn.looked(nil)
        receive(at: 1, keys: 9700..<10_000, of: 10_000)
        drawn.scroll(.top, room: 20, now: 0)
        #expect(drawn.nextView(room: 20) == ViewRequest(.first(0, count: 300)))
        // Rows of before that come meanwhile.
        receive(at: 2, keys: 9700..<10_000, of: 10_001)
        #expect(drawn.content(now: 0, room: 20).top == 0)
    }

    @Test mutating func whatIsReadStaysWhateverComesAboveIt() {
        receive(at: 1, keys: 0..<300, of: 10_000)
        drawn.scroll(.pageDown, room: 20, now: 0)
        receive(at: 2, keys: 0..<300, of: 10_007, first: 7)
        #expect(drawn.content(now: 0, room: 20).top == 27)
    }

    @Test mutating func wordsAreTypedAndLookedForByTheServer() {
        receive(at: 1, keys: 0..<300, of: 10_000)
        drawn.scroll(.pageDown, room: 20, now: 0)
        drawn.find()
        drawn.type(Array("tèa!\u{7F}".utf8), room: 20, now: 0)
        #expect(drawn.isTyping && drawn.query == "tèa")
        #expect(drawn.nextView(room: 20) == ViewRequest(.first(0, count: 300), find: "tèa"))
        #expect(drawn.content(now: 0, room: 20).top == 0)
        drawn.type(Array("\r".utf8), room: 20, now: 0)
        #expect(!drawn.isTyping && drawn.query == "tèa")
        drawn.find()
        drawn.type(Array("\u{1B}".utf8), room: 20, now: 0)
        #expect(!drawn.isTyping && drawn.query.isEmpty)
        #expect(drawn.nextView(room: 20) == ViewRequest(.first(0, count: 300)))
    }

    @Test mutating func aListThatCameAsAWholeIsNotLookedThrough() {
        receive(at: 1, keys: 0..<10, now: 0)
        drawn.find()
        #expect(!drawn.isTyping)
    }

    private mutating func receive(at revision: Revision, keys: Range<Int>, of total: Int, first: Int? = nil) {
        let place = WindowPlace(first: first ?? keys.lowerBound, total: total)
        let rows = keys.map { ListRow(key: Key("\($0)")) }
        let changes = rows.map { WatchedList.RowChange(kind: .inserted, key: $0.key) }
        drawn.receive(
            .rows(.init(rows: rows, epoch: Epoch(1), revision: revision, place: place, changes: changes)), now: 0)
    }

    private mutating func receive(at revision: Revision, keys: Range<Int>, now: Int64) {
        let rows = keys.map { ListRow(key: Key("\($0)")) }
        let changes = rows[min(known, rows.count)...].map { WatchedList.RowChange(kind: .inserted, key: $0.key) }
        known = rows.count
        drawn.receive(.rows(.init(rows: rows, epoch: Epoch(1), revision: revision, changes: changes)), now: now)
    }
}
