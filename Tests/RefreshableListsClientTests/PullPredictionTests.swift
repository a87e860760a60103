import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct PullPredictionTests {
    private var client = DrivenClient()

    @Test mutating func aPullIsPredictedBeforeTheServerAnswers() {
        client.show()
        #expect(pull(to: 37) == [#"{"type":"pull","list":"fruit","gesture":1,"offset":37}"#])
        #expect(client.pull("fruit") == "waiting 0.5")
        #expect(pull(to: 70) == [#"{"type":"pull","list":"fruit","gesture":1,"offset":70}"#])
        #expect(client.pull("fruit") == "primed 1.0")
    }

    @Test mutating func theServersWordReplacesThePrediction() {
        client.show()
        _ = pull(to: 70)
        let state = ListProtocol.PrivateState(list: "fruit", phase: .waiting, gesture: 1, progress: 0.25)
        _ = client.receive(.privateState(state))
        #expect(client.pull("fruit") == "waiting 0.25")
    }

    @Test mutating func samplesAreSentSixtyTimesASecondAndOnlyTheNewest() {
        client.show()
        _ = pull(to: 10)
        #expect(pull(to: 11).isEmpty)
        #expect(pull(to: 12).isEmpty)
        #expect(client.pass(.milliseconds(17)) == [#"{"type":"pull","list":"fruit","gesture":1,"offset":12}"#])
    }

    @Test mutating func aReleaseSaysThePeakAndShowsTheRequestUntilTheRun() {
        client.show()
        _ = pull(to: 90)
        _ = pull(to: 80)
        #expect(
            client.handle(.release(5, list: "fruit"))
                == [#"{"type":"release","id":"2","list":"fruit","gesture":1,"offset":80,"peak":90}"#])
        #expect(client.pull("fruit") == "primed 1.0")
        _ = client.receive(.ok(OK(id: "2", run: .run("r7", joined: false))))
        _ = client.receive(.state(ListState(list: "fruit", phase: .loading, run: "r7")))
        #expect(client.pull("fruit") == "loading 1.0")
    }

    @Test mutating func aReleaseThatIsRefusedShowsNothing() {
        client.show()
        _ = pull(to: 90)
        _ = client.handle(.release(5, list: "fruit"))
        #expect(client.receive(.ok(OK(id: "2", run: .noRun(.refused)))) == ["5: refused"])
        #expect(client.pull("fruit") == "waiting 0.0")
    }

    @Test mutating func aReleaseIsSentAgainWithItsGestureAfterALoss() {
        client.show()
        _ = pull(to: 90)
        _ = client.handle(.release(5, list: "fruit"))
        _ = client.reconnect()
        #expect(
            client.answerWatch("4").last
                == #"{"type":"release","id":"5","list":"fruit","gesture":1,"offset":90,"peak":90}"#)
    }

    @Test mutating func anAbandonedGestureIsToldAndTheNextIsAnother() {
        client.show()
        _ = pull(to: 90)
        #expect(
            client.handle(.cancelPull(list: "fruit")) == [#"{"type":"cancel","list":"fruit","gesture":1}"#])
        #expect(client.pull("fruit") == "waiting 0.0")
        #expect(pull(to: 20) == [#"{"type":"pull","list":"fruit","gesture":2,"offset":20}"#])
    }

    @Test mutating func aPageThatLoadsIsNothingToGestures() {
        client.show()
        _ = client.receive(.state(ListState(list: "fruit", phase: .loading, run: "r8", cause: .more)))
        _ = pull(to: 70)
        #expect(client.pull("fruit") == "primed 1.0")
    }

    private mutating func pull(to offset: Double) -> [String] { client.handle(.pull(to: offset, list: "fruit")) }
}
