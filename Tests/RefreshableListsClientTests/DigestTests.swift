import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct DigestTests {
    private var client = DrivenClient()

    @Test mutating func rowsThatAreTheSameAreToldSo() {
        ask()
        #expect(client.receive(digest("2", at: 3, of: [row("a", 10)])) == ["5: same"])
    }

    @Test mutating func rowsThatDifferAreFetchedAnew() {
        ask()
        #expect(
            client.receive(digest("2", at: 3, of: [row("a", 10, "other")]))
                == ["5: different", #"{"type":"watch","id":"3","list":"fruit"}"#])
    }

    @Test mutating func aDigestIsComparedAtItsRevisionAlone() {
        ask()
        #expect(client.receive(digest("2", at: 4, of: [row("a", 10), row("b", 20)])).isEmpty)
        let patch = PatchPart.of(from: 3, to: 4, set: [row("b", 20)], count: 2)
        #expect(client.receive(.patch(patch)) == ["rows b", "5: same"])
    }

    @Test mutating func aDigestThatThePatchesWentPastIsAskedForAgain() {
        ask()
        _ = client.receive(digest("2", at: 4, of: []))
        let patch = PatchPart.of(from: 3, to: 5, set: [row("b", 20)], count: 2)
        #expect(client.receive(.patch(patch)) == ["rows b", #"{"type":"digest","id":"3","list":"fruit"}"#])
    }

    @Test mutating func rowsThatADigestNamesAndThatStayAwayAreFetchedFromWhereOursAre() {
        ask()
        _ = client.receive(digest("2", at: 4, of: [row("a", 10), row("b", 20)]))
        #expect(client.deadline == .seconds(5))
        #expect(client.pass(.milliseconds(4999)).isEmpty)
        #expect(
            client.pass(.milliseconds(1)) == [#"{"type":"watch","id":"3","list":"fruit","epoch":"7","revision":3}"#])
        #expect(client.answerWatch("3") == ["settings Fruit"])
        let patch = PatchPart.of(from: 3, to: 4, set: [row("b", 20)], count: 2)
        #expect(client.receive(.patch(patch)) == ["rows b", #"{"type":"digest","id":"4","list":"fruit"}"#])
        #expect(client.receive(digest("4", at: 4, of: [row("a", 10), row("b", 20)])) == ["5: same"])
        #expect(client.pass(.seconds(6)).isEmpty)
    }

    @Test mutating func aDigestAmidASearchIsAskedForAgain() {
        ask()
        var amid = digest("2", at: 3, of: [])
        if case .ok(var ok) = amid {
            ok.window = WindowPlace(first: 0, total: 1, isSearching: true)
            amid = .ok(ok)
        }
        #expect(client.receive(amid).isEmpty)
        #expect(client.pass(.milliseconds(200)) == [#"{"type":"digest","id":"3","list":"fruit"}"#])
    }

    @Test mutating func whatASearchHasFoundFirstIsNotComparedWithAllOfIt() {
        ask()
        let first = WindowPlace(first: 0, total: 1, isSearching: true)
        _ = client.receive(.snapshot(snapshot(of: [row("a", 10)], at: first)))
        #expect(client.receive(digest("2", at: 3, of: [row("a", 10), row("b", 20)])).isEmpty)
        let all = WindowPlace(first: 0, total: 2)
        #expect(client.receive(.snapshot(snapshot(of: [row("a", 10), row("b", 20)], at: all))).last == "5: same")
    }

    private func snapshot(of rows: [Patch.Change], at place: WindowPlace) -> SnapshotPart {
        SnapshotPart(list: "fruit", epoch: Epoch(7), revision: 3, rows: rows, window: place, isLast: true)
    }

    @Test mutating func rowsThatADigestNamesHaveTheirTimeFromTheDigestOn() {
        client.show()
        _ = client.pass(.seconds(20))
        _ = client.handle(.ask(5, list: "fruit", .digest))
        _ = client.receive(digest("2", at: 4, of: []))
        #expect(client.pass(.milliseconds(4999)).isEmpty)
        #expect(client.pass(.milliseconds(1)).count == 1)
    }

    @Test mutating func allDigestsOfTheRowsThatHaveComeAreCompared() {
        ask()
        _ = client.handle(.ask(6, list: "fruit", .digest))
        for id in ["2", "3"] { _ = client.receive(digest(id, at: 4, of: [row("a", 10), row("b", 20)])) }
        let patch = PatchPart.of(from: 3, to: 4, set: [row("b", 20)], count: 2)
        #expect(client.receive(.patch(patch)) == ["rows b", "5: same", "6: same"])
    }

    @Test mutating func rowsThatDifferAreFetchedOnceForAllWhoAsk() {
        ask()
        _ = client.handle(.ask(6, list: "fruit", .digest))
        for id in ["2", "3"] { _ = client.receive(digest(id, at: 4, of: [])) }
        let patch = PatchPart.of(from: 3, to: 4, set: [row("b", 20)], count: 2)
        #expect(
            client.receive(.patch(patch))
                == ["rows b", "5: different", "6: different", #"{"type":"watch","id":"4","list":"fruit"}"#])
    }

    @Test mutating func anotherDigestDoesNotPutOffWhatTheFirstAwaits() {
        ask()
        _ = client.receive(digest("2", at: 4, of: []))
        _ = client.pass(.seconds(4))
        _ = client.handle(.ask(6, list: "fruit", .digest))
        _ = client.receive(digest("3", at: 4, of: []))
        #expect(client.deadline == .seconds(5))
        #expect(
            client.pass(.seconds(1)) == [#"{"type":"watch","id":"4","list":"fruit","epoch":"7","revision":3}"#])
    }

    @Test mutating func rowsThatComeInPartsAreWaitedForWhileTheyCome() {
        ask()
        _ = client.receive(digest("2", at: 4, of: [row("a", 10), row("b", 20), row("c", 30)]))
        _ = client.pass(.seconds(4))
        var part = PatchPart.of(from: 3, to: 4, set: [row("b", 20)], count: 3)
        part.isLast = false
        #expect(client.receive(.patch(part)).isEmpty)
        #expect(client.pass(.seconds(4)).isEmpty)
        let last = PatchPart.of(from: 3, to: 4, set: [row("c", 30)], count: 3)
        #expect(client.receive(.patch(last)) == ["rows b c", "5: same"])
    }

    @Test(arguments: [(Epoch(7), 2), (Epoch(8), 3)])
    mutating func rowsThatAreWhereTheServerIsNotAreFetchedAnew(epoch: Epoch, revision: Revision) {
        ask()
        #expect(
            client.receive(digest("2", at: revision, of: [row("a", 10)], epoch: epoch))
                == ["5: different", #"{"type":"watch","id":"3","list":"fruit"}"#])
    }

    @Test mutating func rowsThatAreYetToComeAreNotCompared() {
        client.show()
        _ = client.reconnect()
        client.answerWatch("3")
        #expect(client.handle(.ask(5, list: "fruit", .digest)).isEmpty)
        #expect(
            client.receive(.snapshot(.of([row("a", 10)], at: 3))).last == #"{"type":"digest","id":"4","list":"fruit"}"#)
    }

    @Test mutating func quietRowsAreComparedByThemselves() {
        client = DrivenClient(verifiesAfter: .milliseconds(300))
        client.show()
        #expect(client.pass(.milliseconds(299)).isEmpty)
        #expect(client.pass(.milliseconds(1)) == [#"{"type":"digest","id":"2","list":"fruit"}"#])
        #expect(client.receive(digest("2", at: 3, of: [row("a", 10)])).isEmpty)
        #expect(client.pass(.seconds(20)).isEmpty)
    }

    private mutating func ask() {
        client.show()
        _ = client.handle(.ask(5, list: "fruit", .digest))
    }

    private func digest(_ id: String, at revision: Revision, of rows: [Patch.Change], epoch: Epoch = Epoch(7))
        -> ServerMessage
    {
        guard let list = try? KeyedList(snapshot: rows, revision: revision) else { preconditionFailure("Bad rows.") }
        return .ok(
            OK(id: id, list: "fruit", epoch: epoch, revision: revision, count: rows.count, crc32: list.digest))
    }
}
