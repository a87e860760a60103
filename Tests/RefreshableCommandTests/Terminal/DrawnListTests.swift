import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct DrawnListTests {
    private var drawn = DrawnList("fruit")
    private var replica = Replica("fruit")

    @Test mutating func firstRowsAreNoNewsAndLaterOnesForAWhile() {
        receive(snapshot(at: 1, keys: 0..<3), now: 0)
        #expect(drawn.content(now: 0, room: 9).marks.isEmpty)
        receive(snapshot(at: 2, keys: 0..<4), now: 1000)
        #expect(drawn.content(now: 3999, room: 9).marks == ["3": .inserted])
        #expect(drawn.isMoving(now: 3999))
        #expect(drawn.content(now: 4000, room: 9).marks.isEmpty)
        #expect(!drawn.isMoving(now: 4000))
    }

    @Test mutating func scrollingStaysWithinTheRows() {
        receive(snapshot(at: 1, keys: 0..<10), now: 0)
        let places = [KeyPress.up, .down, .pageDown, .pageDown, .pageDown, .pageUp, .bottom, .top].map { press in
            drawn.scroll(press, room: 4, now: 0)
            return drawn.content(now: 0, room: 4).top
        }
        #expect(places == [0, 1, 5, 6, 6, 2, 6, 0])
    }

    @Test mutating func aListThatShrinksIsSeenFromItsEnd() {
        receive(snapshot(at: 1, keys: 0..<10), now: 0)
        drawn.scroll(.bottom, room: 4, now: 0)
        receive(snapshot(at: 2, keys: 0..<5), now: 0)
        #expect(drawn.content(now: 0, room: 4).top == 1)
    }

    @Test mutating func aLossIsSaidUntilTheServerIsBack() {
        drawn.receive(.lost("gone", retryAfter: .seconds(2)), replica, now: 0)
        #expect(drawn.content(now: 0, room: 4).notice == "Lost the server (gone). Trying again in 2.0 s.")
        drawn.receive(.told(.watching), replica, now: 0)
        #expect(drawn.content(now: 0, room: 4).notice == nil)
    }

    private mutating func receive(_ message: ServerMessage, now: Int64) {
        guard case .rows(let changes) = replica.receive(message) else { return }
        drawn.receive(.told(.rows(changes)), replica, now: now)
    }

    private func snapshot(at revision: Revision, keys: Range<Int>) -> ServerMessage {
        let rows = keys.map { Patch.Change(key: Key("\($0)"), position: Position($0 + 1), fields: Fields()) }
        return .snapshot(SnapshotPart(list: "fruit", epoch: Epoch(1), revision: revision, rows: rows, isLast: true))
    }
}
