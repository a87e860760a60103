import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct RequestTests {
    private var client = DrivenClient()
    private let refresh = Request.Wish.refresh(key: "k", fresh: .join)

    @Test mutating func aRefreshIsOverWhenItsRunIs() {
        client.show()
        #expect(ask(refresh) == [sent("2")])
        #expect(client.receive(.ok(OK(id: "2", run: .run("r7", joined: false)))).isEmpty)
        #expect(client.receive(loading("r7")) == ["state loading"])
        #expect(client.receive(over("r7")) == ["state closing", "5: success of r7"])
    }

    @Test mutating func aRefreshIsOverWhenALaterRunIs() {
        client.show()
        _ = ask(refresh)
        _ = client.receive(.ok(OK(id: "2", run: .run("r9", joined: true))))
        #expect(client.receive(over("r10")).last == "5: success of r10")
    }

    @Test mutating func aRunThatWasOverBeforeItsAnswerCameIsOver() {
        client.show()
        _ = ask(refresh)
        _ = client.receive(over("r7"))
        #expect(client.receive(.ok(OK(id: "2", run: .run("r7", joined: false)))) == ["5: success of r7"])
    }

    @Test mutating func aRefreshWaitsForTheWatch() {
        client.connect(watching: "fruit")
        #expect(ask(refresh).isEmpty)
        #expect(client.answerWatch("1") == ["settings Fruit", sent("2")])
    }

    @Test mutating func aRefreshIsAskedAgainWithItsKeyAfterALoss() {
        client.show()
        _ = ask(refresh)
        _ = client.reconnect()
        #expect(client.answerWatch("4").last == sent("5"))
        _ = client.receive(.ok(OK(id: "5", run: .run("r7", joined: true))))
        _ = client.reconnect()
        // Answered: it is waited for, and not asked again.
        #expect(client.answerWatch("7") == ["settings Fruit"])
        #expect(client.receive(over("r7")).last == "5: success of r7")
    }

    @Test mutating func aRunThatEndedWithItsServerIsAskedForAgain() {
        loseTheServer(amid: "r7")
        #expect(client.receive(over("r6")) == ["state closing", sent("5")])
    }

    @Test mutating func aRunThatIsStillUnderWayIsWaitedForWhateverBecameOfTheSession() {
        loseTheServer(amid: "r7")
        #expect(client.receive(loading("r7")) == ["state loading"])
        #expect(client.receive(over("r7")).last == "5: success of r7")
    }

    /// A refresh was answered with a run, and the server that the client comes back to knows no such session.
    private mutating func loseTheServer(amid run: String) {
        client.show()
        _ = ask(refresh)
        _ = client.receive(.ok(OK(id: "2", run: .run(run, joined: false))))
        _ = client.reconnect()
        _ = client.receive(.ok(OK(id: "3", session: "s2", resumed: false)))
        client.answerWatch("4")
    }

    @Test mutating func aRefusalIsPassedOn() {
        client.show()
        _ = ask(refresh)
        #expect(client.receive(.ok(OK(id: "2", run: .noRun(.tooSoon)))) == ["5: tooSoon"])
        _ = ask(refresh, number: 6)
        #expect(client.receive(.error(id: "3", code: .forbidden, message: "No.", after: nil)) == ["6: failed"])
    }

    @Test mutating func whatWasTooMuchIsSentAgainLater() {
        client.show()
        _ = ask(refresh)
        #expect(client.receive(.error(id: "2", code: .rateLimited, message: "", after: 400)).isEmpty)
        #expect(client.pass(.milliseconds(399)).isEmpty)
        #expect(client.pass(.milliseconds(1)) == [sent("3")])
    }

    @Test mutating func aListThatIsWatchedAgainTooSoonIsNotRefused() {
        client.show()
        let gap = PatchPart.of(from: 5, to: 6, set: [row("b", 20)], count: 2)
        #expect(client.receive(.patch(gap)).count == 1)
        #expect(client.receive(.error(id: "2", code: .rateLimited, message: "", after: 400)).isEmpty)
        #expect(client.pass(.milliseconds(399)).isEmpty)
        #expect(
            client.pass(.milliseconds(1)) == [#"{"type":"watch","id":"3","list":"fruit","epoch":"7","revision":3}"#])
    }

    @Test mutating func withdrawingStopsTheRun() {
        client.show()
        _ = ask(refresh)
        _ = client.receive(.ok(OK(id: "2", run: .run("r7", joined: false))))
        #expect(client.handle(.withdraw(5, list: "fruit")) == [#"{"type":"stop","id":"3","list":"fruit","run":"r7"}"#])
    }

    @Test mutating func withdrawingBeforeTheAnswerStopsTheRunThatComes() {
        client.show()
        _ = ask(refresh)
        #expect(client.handle(.withdraw(5, list: "fruit")).isEmpty)
        #expect(
            client.receive(.ok(OK(id: "2", run: .run("r7", joined: false))))
                == [#"{"type":"stop","id":"3","list":"fruit","run":"r7"}"#])
    }

    @Test mutating func whatWasWithdrawnIsNotAskedAgainAfterALoss() {
        client.show()
        _ = ask(refresh)
        _ = client.handle(.withdraw(5, list: "fruit"))
        _ = client.reconnect()
        #expect(client.answerWatch("4") == ["settings Fruit"])
    }

    @Test mutating func anActionIsOverWhenTheRowsShowIt() {
        client.show()
        _ = ask(.act(.use("archive", row: "a"), key: "k"))
        _ = client.receive(.ok(OK(id: "2", run: .run("a1", joined: false))))
        let act = ActionState(
            list: "fruit", run: "a1", action: "archive", row: "a", phase: .closing(.success, revision: 4))
        #expect(client.receive(.act(act)).isEmpty)
        let patch = PatchPart.of(from: 3, to: 4, set: [], remove: ["a"], count: 0)
        #expect(client.receive(.patch(patch)) == ["rows a", "5: act a1"])
    }

    @Test mutating func anActionIsSentAgainUntilItsOutcomeIsKnown() {
        client.show()
        _ = ask(.act(.use("archive", row: "a"), key: "k"))
        _ = client.receive(.ok(OK(id: "2", run: .run("a1", joined: false))))
        _ = client.reconnect()
        #expect(
            client.answerWatch("4").last
                == #"{"type":"act","id":"5","list":"fruit","action":"archive","row":"a","key":"k"}"#)
    }

    @Test mutating func aListThatIsRefusedForGoodFailsWhatIsAsked() {
        client.connect(watching: "fruit")
        _ = ask(refresh)
        #expect(
            client.receive(.error(id: "1", code: .unknownList, message: "No.", after: nil))
                == ["rows ", "refused: No.", "5: failed"])
        #expect(ask(refresh, number: 6) == ["6: failed"])
    }

    @Test mutating func aListThatIsGoneForNowIsWatchedAgainFromWhereItWas() {
        client.show()
        #expect(
            client.receive(.unwatched(list: "fruit", code: .unknownList, message: "Gone.", after: 3000))
                == ["refused: Gone."])
        #expect(client.rows("fruit") == ["a"])
        #expect(client.pass(.seconds(3)) == [#"{"type":"watch","id":"2","list":"fruit","epoch":"7","revision":3}"#])
    }

    private mutating func ask(_ wish: Request.Wish, number: Int = 5) -> [String] {
        client.handle(.ask(number, list: "fruit", wish))
    }

    private func sent(_ id: String) -> String {
        #"{"type":"refresh","id":"\#(id)","list":"fruit","key":"k","fresh":"join"}"#
    }

    private func loading(_ run: String) -> ServerMessage {
        .state(ListState(list: "fruit", phase: .loading, run: run))
    }

    private func over(_ run: String) -> ServerMessage {
        let last = LastRun(run: run, outcome: .success, duration: 1, changes: ChangeCounts())
        return .state(ListState(list: "fruit", phase: .closing, run: run, last: last))
    }
}
