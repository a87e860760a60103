import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// Single flight, deadlines and cancelling, as a table of what happens and what is done.
struct RefreshGateTests {
    var gate = RefreshGate(rules: .init(), runs: 0, now: at(0))

    @Test mutating func firstRequestStartsARunAndSaysSoBeforeItsHandlerBegins() {
        let (answer, actions) = pull(by: "ann", at: 0)

        #expect(answer == .run(RunID(1), joined: false))
        #expect(actions.prefix(2) == [.publish, .start(RunID(1), .pull)])
    }

    @Test mutating func numbersThatWereUsedElsewhereAreNotUsedAgain() {
        gate.skipRuns(upTo: 6)
        #expect(pull(by: "ann", at: 0).0 == .run(RunID(7), joined: false))
        gate.skipRuns(upTo: 2)
        #expect(gate.runs == 7)
    }

    @Test mutating func aRunThatIsFollowedIsAnotherWhereItBeganAtAnotherTime() {
        gate = RefreshGate(rules: .init(), runs: 0, leads: false, now: at(0))
        #expect(gate.follow(RunID(8), .pull, startedAt: 100, now: at(0)) == [.publish])
        #expect(gate.follow(RunID(8), .pull, startedAt: 100, now: at(1)) == [])
        #expect(gate.follow(RunID(8), .initial, startedAt: 200, now: at(2)) == [.publish])
        #expect(gate.current?.cause == .initial)
    }

    @Test mutating func overlappingRequestsJoinTheOneRun() {
        pull(by: "ann", at: 0)

        let (answer, actions) = pull(by: "bob", at: 1000)

        #expect(answer == .run(RunID(1), joined: true))
        #expect(actions.isEmpty)
        #expect(gate.runs == 1)
    }

    @Test mutating func requestsForLaterShareOneTrailingRunThatStartsAtTheEnd() {
        pull(by: "ann", at: 0)

        let first = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1)).0
        let second = gate.request(.init(requester: session("cid"), cause: .refresh, isAfter: true), now: at(2)).0
        let actions = gate.finished(RunID(1), .success, now: at(3000))

        #expect(first == .run(RunID(2), joined: false))
        #expect(second == .run(RunID(2), joined: true))
        #expect(actions.contains(.end(RunID(1), .success)))
        #expect(actions.contains(.start(RunID(2), .refresh)))
        #expect(gate.endedAt == 3000)
        #expect(gate.current?.startedAt.uptime == 3000)
    }

    @Test mutating func runEndsAndTheListClosesFor600MillisecondsThenWaits() {
        pull(by: "ann", at: 0)

        let ended = gate.finished(RunID(1), .success, now: at(3000))

        #expect(ended == [.end(RunID(1), .success), .publish, .wake(3600)])
        #expect(gate.due(now: at(3599)) == [.wake(3600)])
        #expect(gate.due(now: at(3600)) == [.publish])
        #expect(gate.phase == .waiting)
    }

    @Test mutating func aRunEndsByTheDeadlineThatItBeganWith() {
        pull(by: "ann", at: 0)

        let actions = gate.change(.init(deadline: .seconds(1)), now: at(5000))

        #expect(actions == [.wake(30_000)])
        #expect(gate.due(now: at(30_000)).contains(.end(RunID(1), .timeout(after: .seconds(30)))))
    }

    @Test mutating func aShorterIntervalCountsAtOnce() {
        _ = gate.watchers(1, now: at(0))

        #expect(gate.change(.init(every: .seconds(60)), now: at(1000)) == [.wake(60_000)])
        #expect(gate.change(.init(every: .seconds(1)), now: at(2000)).contains(.start(RunID(1), .timer)))
    }

    @Test mutating func anAbandonedRunEndsAtOnceAndNoneFollows() {
        pull(by: "ann", at: 0)
        _ = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1))

        let actions = gate.abandon(now: at(10))

        #expect(actions.prefix(3) == [.cancel(RunID(1)), .end(RunID(1), .cancelled), .publish])
        #expect(!actions.contains { if case .start = $0 { true } else { false } })
        #expect(gate.abandon(now: at(11)).isEmpty)
    }

    @Test mutating func pullWhileClosingStartsANewRun() {
        pull(by: "ann", at: 0)
        _ = gate.finished(RunID(1), .success, now: at(3000))

        let (answer, _) = pull(by: "ann", at: 3100)

        #expect(answer == .run(RunID(2), joined: false))
    }

    @Test mutating func silentRunTimesOutAtItsDeadlineAndItsHandlerIsAskedToStop() {
        pull(by: "ann", at: 0)

        #expect(gate.due(now: at(29_999)) == [.wake(30_000)])
        let actions = gate.due(now: at(30_000))

        #expect(actions.prefix(2) == [.cancel(RunID(1)), .end(RunID(1), .timeout(after: .seconds(30)))])
    }

    @Test mutating func runThatYieldsOrReportsIsNeverTooLate() {
        pull(by: "ann", at: 0)
        _ = gate.wasActive(RunID(1), now: at(29_000))

        #expect(gate.due(now: at(58_999)) == [.wake(59_000)])
        #expect(gate.current != nil)
    }

    @Test func runWithoutADeadlineWaitsForEver() {
        var rules = RefreshGate.Rules()
        rules.deadline = nil
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.request(.init(requester: .program, cause: .code), now: at(0))

        #expect(gate.due(now: at(1_000_000)).isEmpty)
        #expect(gate.current != nil)
    }

    @Test mutating func runEndsWhenTheLastRequesterWithdraws() {
        pull(by: "ann", at: 0)
        pull(by: "bob", at: 0)

        #expect(gate.withdraw(session("ann"), now: at(1)).isEmpty)
        #expect(gate.withdraw(session("bob"), now: at(2)).first == .cancel(RunID(1)))
        #expect(gate.finished(RunID(1), .success, now: at(3)).first == .end(RunID(1), .cancelled))
    }

    @Test mutating func runThatAProgramWantsIsNotStoppedByAPerson() {
        _ = gate.request(.init(requester: .program, cause: .code), now: at(0))
        pull(by: "ann", at: 0)

        #expect(gate.stop(RunID(1), by: session("ann"), now: at(1)).isEmpty)
        #expect(gate.current?.cancelledAt == nil)
    }

    @Test mutating func initialLoadIsStoppedByItsOnlyWatcher() {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))

        #expect(gate.stop(RunID(1), by: session("ann"), now: at(1)).first == .cancel(RunID(1)))
    }

    @Test mutating func initialLoadGoesOnForTheOtherWatchersOfWhoeverStopsIt() {
        _ = gate.watchers(2, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))

        #expect(gate.stop(RunID(1), by: session("ann"), now: at(1)).isEmpty)
        #expect(gate.current?.cancelledAt == nil)
    }

    @Test mutating func loadThatFollowsACancelledOneIsNotWithdrawnByThoseWhoDidNotAskForIt() {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))
        _ = gate.stop(RunID(1), by: session("ann"), now: at(1))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(2))
        _ = gate.withdraw(session("ann"), now: at(3))

        #expect(gate.finished(RunID(1), .cancelled, now: at(4)).contains(.start(RunID(2), .initial)))
    }

    @Test mutating func initialLoadGoesOnWithoutThePullerWhoJoinedIt() {
        _ = gate.watchers(2, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))
        pull(by: "ann", at: 1)

        #expect(gate.withdraw(session("ann"), now: at(2)) == [.wake(30_000)])
        #expect(gate.current?.cancelledAt == nil)
    }

    @Test mutating func initialLoadThatSomebodyJoinedAndLeftIsCancelledAfterTenSecondsWithNobody() {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))
        pull(by: "ann", at: 1)
        _ = gate.watchers(0, now: at(5000))

        #expect(gate.withdraw(session("ann"), now: at(5001)) == [.wake(15_000)])
        #expect(gate.due(now: at(15_000)).first == .cancel(RunID(1)))
    }

    @Test(arguments: [RefreshCause.code, .timer])
    mutating func runOfTheProgramGoesOnThoughNobodyWatches(cause: RefreshCause) {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: .program, cause: cause), now: at(0))
        _ = gate.watchers(0, now: at(1))

        #expect(gate.due(now: at(20_000)) == [.wake(30_000)])
        #expect(gate.current?.cancelledAt == nil)
    }

    @Test mutating func initialLoadIsCancelledAfterTenSecondsWithNobody() {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))

        #expect(gate.watchers(0, now: at(5000)) == [.wake(15_000)])
        #expect(gate.due(now: at(15_000)).first == .cancel(RunID(1)))
    }

    @Test mutating func watcherWhoComesBackWithinTenSecondsKeepsTheRun() {
        _ = gate.watchers(1, now: at(0))
        _ = gate.request(.init(requester: nil, cause: .initial), now: at(0))
        _ = gate.watchers(0, now: at(5000))
        _ = gate.watchers(1, now: at(14_999))

        #expect(gate.due(now: at(15_000)) == [.wake(30_000)])
    }

    @Test mutating func pullersLostConnectionDoesNotEndItsRun() {
        _ = gate.watchers(1, now: at(0))
        pull(by: "ann", at: 0)
        _ = gate.watchers(0, now: at(1))

        #expect(gate.due(now: at(20_000)) == [.wake(30_000)])
        #expect(gate.current?.cancelledAt == nil)
    }

    @Test mutating func handlerThatIgnoresCancellingIsNotWaitedForLongerThanTwoSeconds() {
        pull(by: "ann", at: 0)
        _ = gate.withdraw(session("ann"), now: at(100))

        #expect(gate.due(now: at(2099)) == [.wake(2100)])
        #expect(gate.due(now: at(2100)).first == .end(RunID(1), .cancelled))
    }

    @Test mutating func pullDuringCancellingGetsARunOfItsOwn() {
        pull(by: "ann", at: 0)
        _ = gate.withdraw(session("ann"), now: at(100))

        let (answer, _) = pull(by: "bob", at: 200)
        let actions = gate.finished(RunID(1), .success, now: at(300))

        #expect(answer == .run(RunID(2), joined: false))
        #expect(actions.contains(.start(RunID(2), .pull)))
    }

    @Test func pullTooSoonAfterASuccessIsAnsweredFromWhatIsThere() {
        var rules = RefreshGate.Rules()
        rules.minimumInterval = .seconds(60)
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.request(.init(requester: session("ann"), cause: .pull), now: at(0))
        _ = gate.finished(RunID(1), .success, now: at(1000))

        #expect(gate.request(.init(requester: session("ann"), cause: .pull), now: at(60_999)).0 == .tooSoon)
        #expect(
            gate.request(.init(requester: session("ann"), cause: .pull), now: at(61_000)).0
                == .run(RunID(2), joined: false))
    }

    @Test func listMayRefuseWithAReason() {
        var rules = RefreshGate.Rules()
        rules.refusal = { "Closed on Sundays." }
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))

        let (answer, actions) = gate.request(.init(requester: session("ann"), cause: .pull), now: at(0))

        #expect(answer == .refused("Closed on Sundays."))
        #expect(actions.isEmpty)
    }

    @Test func timerRestsWhileNobodyWatchesAndCatchesUpWhenSomebodyComes() {
        var rules = RefreshGate.Rules()
        rules.every = .seconds(300)
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))

        #expect(gate.due(now: at(400_000)).isEmpty)
        let actions = gate.watchers(1, now: at(500_000))

        #expect(actions.prefix(2) == [.publish, .start(RunID(1), .timer)])
    }

    @Test func timerDoesNotBeginWhatTheListRefusesAndAsksAgainLater() {
        let isOpen = Locked(false)
        var rules = RefreshGate.Rules()
        rules.every = .seconds(300)
        rules.refusal = { isOpen.withLock { $0 } ? nil : "Closed." }
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.watchers(1, now: at(0))

        #expect(gate.due(now: at(300_000)) == [.wake(600_000)])
        isOpen.withLock { $0 = true }
        #expect(gate.due(now: at(600_000)).contains(.start(RunID(1), .timer)))
    }

    @Test func minimumIntervalCountsFromASuccessBeforeTheServerStarted() {
        var rules = RefreshGate.Rules()
        rules.minimumInterval = .seconds(60)
        var gate = RefreshGate(rules: rules, runs: 3, age: .seconds(50), now: at(0))

        #expect(gate.request(.init(requester: session("ann"), cause: .pull), now: at(9999)).0 == .tooSoon)
        #expect(
            gate.request(.init(requester: session("ann"), cause: .pull), now: at(10_000)).0
                == .run(RunID(4), joined: false))
    }

    @Test func minimumIntervalHoldsBackNeitherCodeNorTheInitialLoad() {
        var rules = RefreshGate.Rules()
        rules.minimumInterval = .seconds(60)
        var gate = RefreshGate(rules: rules, runs: 0, age: .zero, now: at(0))

        #expect(
            gate.request(.init(requester: .program, cause: .code), now: at(1)).0 == .run(RunID(1), joined: false))
    }

    @Test mutating func trailingRunThatNobodyWantsAnyMoreDoesNotBegin() {
        pull(by: "ann", at: 0)
        _ = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1))

        _ = gate.stop(RunID(2), by: session("bob"), now: at(2))
        let actions = gate.finished(RunID(1), .success, now: at(3000))

        #expect(!actions.contains(.start(RunID(2), .refresh)))
    }

    @Test mutating func requestForLaterDuringTheTrailingRunGetsAnother() {
        pull(by: "ann", at: 0)
        _ = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1))
        _ = gate.finished(RunID(1), .success, now: at(3000))

        let later = gate.request(.init(requester: session("cid"), cause: .refresh, isAfter: true), now: at(3001)).0

        #expect(later == .run(RunID(3), joined: false))
    }

    @Test mutating func runThatTimedOutIsFollowedByTheOneThatWasPromised() {
        pull(by: "ann", at: 0)
        _ = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1))

        let actions = gate.due(now: at(30_000))

        #expect(actions.contains(.end(RunID(1), .timeout(after: .seconds(30)))))
        #expect(actions.contains(.start(RunID(2), .refresh)))
    }

    @Test mutating func lateEndOfAnEarlierRunChangesNothing() {
        pull(by: "ann", at: 0)
        _ = gate.due(now: at(30_000))
        pull(by: "ann", at: 31_000)

        #expect(gate.finished(RunID(1), .success, now: at(31_001)).isEmpty)
        #expect(gate.current?.run == RunID(2))
    }

    @discardableResult
    private mutating func pull(
        by name: String, at uptime: Int64
    ) -> (RefreshGate.Answer, [RefreshGate.Action]) {
        gate.request(.init(requester: session(name), cause: .pull), now: at(uptime))
    }
}

private func at(_ uptime: Int64) -> Moment { Moment(uptime: uptime, date: 1_790_000_000_000 + uptime) }

private func session(_ name: String) -> RefreshGate.Requester { .session(name) }

/// Before the server stops.
extension RefreshGateTests {
    @Test mutating func noRunBeginsWhileItDrainsButTheOneUnderWayIsJoined() {
        pull(by: "ann", at: 0)
        gate.drain()

        #expect(pull(by: "bob", at: 1).0 == .run(RunID(1), joined: true))
        let later = gate.request(.init(requester: session("cid"), cause: .refresh, isAfter: true), now: at(2)).0
        #expect(later == .refused("The server is about to stop."))
        _ = gate.finished(RunID(1), .success, now: at(3))
        #expect(pull(by: "ann", at: 5000).0 == .refused("The server is about to stop."))
        #expect(gate.requestPage(session("ann"), now: at(5001)).0 == .refused("The server is about to stop."))
    }

    @Test mutating func whatWasToFollowDoesNotWhileItDrains() {
        pull(by: "ann", at: 0)
        _ = gate.request(.init(requester: session("bob"), cause: .refresh, isAfter: true), now: at(1))
        gate.drain()

        let actions = gate.finished(RunID(1), .success, now: at(2))
        #expect(actions.contains(.end(RunID(1), .success)))
        #expect(!actions.contains { if case .start = $0 { true } else { false } })
    }

    @Test mutating func everyRestsWhileItDrains() {
        gate = RefreshGate(rules: .init(every: .seconds(1)), runs: 0, now: at(0))
        _ = gate.watchers(1, now: at(0))
        gate.drain()
        #expect(gate.due(now: at(5000)).isEmpty)
    }
}
