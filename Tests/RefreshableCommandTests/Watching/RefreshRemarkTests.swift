import KeyedLists
import ListProtocol
import RefreshableListsClient
import Testing

@testable import RefreshableCommand

struct RefreshRemarkTests {
    @Test func aRefreshThatSucceededNeedsNoRemark() {
        let (isFulfilled, remark) = RefreshCommand.remark(on: .ended(last(.success)), of: "fruit")
        #expect(isFulfilled && remark == nil)
    }

    @Test func tooSoonIsGoodEnough() {
        let (isFulfilled, remark) = RefreshCommand.remark(on: .noRun(.tooSoon, message: nil), of: "fruit")
        #expect(isFulfilled && remark == "fruit was refreshed a moment ago.")
    }

    @Test func aRefusalIsPassedOn() {
        let answer = WatchedList.Answer<LastRun>.noRun(.refused, message: "Closed on Sundays.")
        let (isFulfilled, remark) = RefreshCommand.remark(on: answer, of: "fruit")
        #expect(!isFulfilled && remark == "Closed on Sundays.")
    }

    @Test func aFailureIsToldWithItsMessage() {
        let (isFulfilled, remark) = RefreshCommand.remark(on: .ended(last(.timeout)), of: "fruit")
        #expect(!isFulfilled && remark == "fruit: timeout. No door.")
    }

    private func last(_ outcome: LastRun.Outcome) -> LastRun {
        let error = outcome == .success ? nil : RunError(code: "x", message: "No door.")
        return LastRun(run: "r1", outcome: outcome, duration: 1, changes: ChangeCounts(), error: error)
    }
}
