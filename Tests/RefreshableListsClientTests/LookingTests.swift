import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

/// A list of which a client looks at a part.
struct LookingTests {
    private var client = DrivenClient()
    private let top = ViewRequest(.first(0, count: 2), allUpTo: 2000)

    @Test mutating func aWatchSaysWhatItLooksAt() {
        #expect(client.handle(.watch("fruit", at: top)).isEmpty)
        _ = client.handle(.begin)
        #expect(
            client.handle(.opened) == [
                "online",
                #"{"type":"watch","id":"1","list":"fruit","window":{"first":0,"count":2,"allUpTo":2000}}"#,
            ])
    }

    @Test mutating func aLookIsOverWhenItsRowsAreHere() {
        show()
        #expect(
            look(ViewRequest(.last(2), find: "tea")) == [
                #"{"type":"look","id":"2","list":"fruit","window":{"last":2,"find":"tea"}}"#
            ])
        #expect(client.receive(.ok(OK(id: "2", list: "fruit", epoch: Epoch(7), revision: 3))).isEmpty)
        // Of what was there, no fields come.
        #expect(client.receive(.snapshot(part([moved("b", 20), row("c", 30)], at: 8))) == ["rows a b b c", "5: done"])
        #expect(client.rows("fruit") == ["b", "c"])
        #expect(client.place("fruit") == WindowPlace(first: 8, total: 10))
    }

    @Test mutating func aLookThatIsRefusedChangesNothing() {
        show()
        _ = look(ViewRequest(.around("x", before: 1, after: 1)))
        #expect(
            client.receive(.error(id: "2", code: .unknownRow, message: "There is none.", after: nil)) == ["5: failed"])
        #expect(client.rows("fruit") == ["a", "b"])
        #expect(
            client.reconnect().last
                == #"{"type":"watch","id":"4","list":"fruit","epoch":"7","revision":3,"window":{"first":0,"count":2}}"#)
    }

    @Test mutating func rowsInTheMidstAreFoundAgainWhereverTheyLie() {
        show()
        _ = look(ViewRequest(.first(500, count: 2)))
        _ = client.receive(.ok(OK(id: "2", list: "fruit", epoch: Epoch(7), revision: 3)))
        _ = client.receive(.snapshot(part([row("m", 20), row("n", 30)], at: 500, of: 900)))
        let window = #""window":{"around":"n","before":1,"after":0,"index":501}"#
        #expect(
            client.reconnect().last == #"{"type":"watch","id":"4","list":"fruit","epoch":"7","revision":3,\#(window)}"#)
    }

    @Test mutating func aLookThatWasNotAnsweredIsAskedAgainAfterALoss() {
        show()
        _ = look(ViewRequest(.last(2)))
        _ = client.reconnect()
        let again = client.answerWatch("4")
        #expect(again.last == #"{"type":"look","id":"5","list":"fruit","window":{"last":2}}"#)
    }

    @Test mutating func patchesSayWhereTheRowsLie() {
        show()
        var patch = PatchPart.of(from: 3, to: 4, set: [], count: 2)
        patch.window = WindowPlace(first: 1, total: 11)
        _ = client.receive(.patch(patch))
        #expect(client.place("fruit") == WindowPlace(first: 1, total: 11))
    }

    private mutating func show() {
        _ = client.handle(.watch("fruit", at: top))
        _ = client.handle(.begin)
        _ = client.handle(.opened)
        _ = client.receive(.welcome(session: "s1", now: 0, heartbeat: 25_000, limits: Limits()))
        client.answerWatch("1")
        _ = client.receive(.snapshot(part([row("a", 10), row("b", 20)], at: 0)))
    }

    private mutating func look(_ view: ViewRequest) -> [String] { client.handle(.ask(5, list: "fruit", .look(view))) }

    private func part(_ rows: [Patch.Change], at first: Int, of total: Int = 10) -> SnapshotPart {
        SnapshotPart(
            list: "fruit", epoch: Epoch(7), revision: 3, rows: rows, window: WindowPlace(first: first, total: total),
            isLast: true)
    }
}
