import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct RefreshRequestTests {
    private var refreshRequest = RefreshRequest(list: "fruit")
    private var replica = Replica("fruit")

    @Test mutating func itAsksOnceTheListIsThereAndEndsWithItsRun() {
        #expect(hear(ListState(list: "fruit", phase: .waiting)) == .ask)
        #expect(refreshRequest.hear(.told(.answered(.run("r2", joined: false))), replica) == .wait)
        #expect(hear(ListState(list: "fruit", phase: .loading, run: "r2", last: last("r1", .failure))) == .wait)
        #expect(hear(ListState(list: "fruit", phase: .closing, last: last("r2", .success))) == .end)
        #expect(refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == nil)
    }

    @Test mutating func aLaterRunEndsItToo() {
        _ = hear(ListState(list: "fruit", phase: .waiting, last: last("r9", .success)))
        _ = refreshRequest.hear(.told(.answered(.run("r10", joined: true))), replica)
        #expect(hear(ListState(list: "fruit", phase: .waiting, last: last("r9", .success))) == .wait)
        #expect(hear(ListState(list: "fruit", phase: .loading, run: "r12", last: last("r11", .timeout))) == .end)
        #expect(!refreshRequest.isFulfilled)
    }

    @Test mutating func aRunThatWasOverBeforeItsAnswerCameEndsIt() {
        _ = hear(ListState(list: "fruit", phase: .waiting, last: last("r1", .success)))
        #expect(refreshRequest.hear(.told(.answered(.run("r1", joined: true))), replica) == .end)
    }

    @Test mutating func tooSoonIsGoodEnough() {
        #expect(refreshRequest.hear(.told(.answered(.noRun(.tooSoon))), replica) == .end)
        #expect(refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == "fruit was refreshed a moment ago.")
    }

    @Test mutating func aRefusalIsPassedOn() {
        #expect(refreshRequest.hear(.told(.answered(.noRun(.refused, message: "Closed on Sundays."))), replica) == .end)
        #expect(!refreshRequest.isFulfilled)
        #expect(refreshRequest.remark == "Closed on Sundays.")
    }

    @Test mutating func aLossIsSaidAndWaitedOut() {
        let step = refreshRequest.hear(.lost("gone", retryAfter: .milliseconds(1540)), replica)
        #expect(step == .say("Lost the server (gone). Trying again in 1.5 s."))
    }

    private mutating func hear(_ state: ListState) -> RefreshRequest.Step {
        _ = replica.hear(.state(state))
        return refreshRequest.hear(.told(.state), replica)
    }

    private func last(_ run: String, _ outcome: LastRun.Outcome) -> LastRun {
        LastRun(run: run, outcome: outcome, duration: 1, changes: ChangeCounts())
    }
}
