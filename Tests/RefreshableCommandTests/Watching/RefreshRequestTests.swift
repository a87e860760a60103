import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct RefreshRequestTests {
    private var refreshRequest = RefreshRequest(list: "fruit")
    private var replica = Replica("fruit")

    @Test mutating func itAsksOnceTheListIsThereAndEndsWithItsRun() {
        #expect(receive(ListState(list: "fruit", phase: .waiting)) == .ask)
        #expect(refreshRequest.receive(.told(.answered(.run("r2", joined: false))), replica) == .wait)
        #expect(receive(ListState(list: "fruit", phase: .loading, run: "r2", last: last("r1", .failure))) == .wait)
        #expect(receive(ListState(list: "fruit", phase: .closing, last: last("r2", .success))) == .end)
        #expect(refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == nil)
    }

    @Test mutating func aLaterRunEndsItToo() {
        _ = receive(ListState(list: "fruit", phase: .waiting, last: last("r9", .success)))
        _ = refreshRequest.receive(.told(.answered(.run("r10", joined: true))), replica)
        #expect(receive(ListState(list: "fruit", phase: .waiting, last: last("r9", .success))) == .wait)
        #expect(receive(ListState(list: "fruit", phase: .loading, run: "r12", last: last("r11", .timeout))) == .end)
        #expect(!refreshRequest.isFulfilled)
    }

    @Test mutating func aRunThatWasOverBeforeItsAnswerCameEndsIt() {
        _ = receive(ListState(list: "fruit", phase: .waiting, last: last("r1", .success)))
        #expect(refreshRequest.receive(.told(.answered(.run("r1", joined: true))), replica) == .end)
    }

    @Test mutating func tooSoonIsGoodEnough() {
        #expect(refreshRequest.receive(.told(.answered(.noRun(.tooSoon))), replica) == .end)
        #expect(refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == "fruit was refreshed a moment ago.")
    }

    @Test mutating func aRefusalIsPassedOn() {
        #expect(
            refreshRequest.receive(.told(.answered(.noRun(.refused, message: "Closed on Sundays."))), replica) == .end)
        #expect(!refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == "Closed on Sundays.")
    }

    @Test mutating func aLossIsSaidAndWaitedOut() {
        let step = refreshRequest.receive(.lost("gone", retryAfter: .milliseconds(1540)), replica)
        #expect(step == .say("Lost the server (gone). Trying again in 1.5 s."))
    }

    private mutating func receive(_ state: ListState) -> RefreshRequest.Step {
        _ = replica.receive(.state(state))
        return refreshRequest.receive(.told(.state), replica)
    }

    private func last(_ run: String, _ outcome: LastRun.Outcome) -> LastRun {
        LastRun(run: run, outcome: outcome, duration: 1, changes: ChangeCounts())
    }
}
