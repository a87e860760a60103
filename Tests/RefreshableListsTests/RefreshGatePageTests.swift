import Testing

@testable import RefreshableLists

/// Pages in the gate: runs like others, but no refreshes.
struct RefreshGatePageTests {
    var gate = RefreshGate(rules: .init(), runs: 0, now: at(0))

    @Test mutating func pageIsARunOfItsOwnCause() {
        let (answer, actions) = gate.requestPage(session("ann"), now: at(0))

        #expect(answer == .run(RunID(1), joined: false))
        #expect(actions.prefix(2) == [.publish, .start(RunID(1), .more)])
    }

    @Test mutating func whoWantsThePageThatIsLoadingJoins() {
        _ = gate.requestPage(session("ann"), now: at(0))

        let (answer, actions) = gate.requestPage(session("bob"), now: at(1))

        #expect(answer == .run(RunID(1), joined: true))
        #expect(actions.isEmpty)
    }

    @Test mutating func pageIsRefusedWhileARefreshIsUnderWay() {
        _ = gate.request(.init(requester: session("ann"), cause: .pull), now: at(0))

        let (answer, actions) = gate.requestPage(session("bob"), now: at(1))

        #expect(answer == .refused("The list is being refreshed."))
        #expect(actions.isEmpty)
    }

    @Test mutating func refreshEndsThePageThatIsLoadingAtOnce() {
        _ = gate.requestPage(session("ann"), now: at(0))

        let (answer, actions) = gate.request(.init(requester: session("bob"), cause: .pull), now: at(1))

        #expect(answer == .run(RunID(2), joined: false))
        #expect(
            actions.prefix(4) == [
                .cancel(RunID(1)), .end(RunID(1), .cancelled), .publish, .start(RunID(2), .pull),
            ])
        #expect(gate.finished(RunID(1), .success, now: at(2)).isEmpty, "the page is late")
    }

    @Test func refreshThatIsRefusedLeavesThePageAlone() {
        var rules = RefreshGate.Rules()
        rules.refusal = { "Closed." }
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.requestPage(session("ann"), now: at(0))

        let (answer, _) = gate.request(.init(requester: session("bob"), cause: .pull), now: at(1))

        #expect(answer == .refused("Closed."))
        #expect(gate.current?.run == RunID(1))
    }

    @Test mutating func pageThatIsStoppedMakesWayForAnother() {
        _ = gate.requestPage(session("ann"), now: at(0))
        _ = gate.stop(RunID(1), by: session("ann"), now: at(1))

        let (answer, actions) = gate.requestPage(session("ann"), now: at(2))

        #expect(answer == .run(RunID(2), joined: false))
        #expect(actions.first == .end(RunID(1), .cancelled))
    }

    @Test mutating func silentPageTimesOutAtTheDeadline() {
        _ = gate.requestPage(session("ann"), now: at(0))

        #expect(gate.due(now: at(30_000)).contains(.end(RunID(1), .timeout(after: .seconds(30)))))
    }

    @Test func pagePutsOffNeitherTheTimerNorTheMinimumInterval() {
        var rules = RefreshGate.Rules()
        rules.every = .seconds(60)
        rules.minimumInterval = .seconds(60)
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.watchers(1, now: at(0))
        _ = gate.requestPage(session("ann"), now: at(50_000))
        _ = gate.finished(RunID(1), .success, now: at(50_100))

        #expect(
            gate.request(.init(requester: session("ann"), cause: .pull), now: at(50_200)).0
                == .run(RunID(2), joined: false))
        _ = gate.finished(RunID(2), .failure(RefreshFailure("No.")), now: at(50_300))
        #expect(gate.due(now: at(110_200)).contains(.start(RunID(3), .timer)))
    }

    @Test func timerThatIsDueEndsAPageThatLoads() {
        var rules = RefreshGate.Rules()
        rules.every = .seconds(60)
        var gate = RefreshGate(rules: rules, runs: 0, now: at(0))
        _ = gate.watchers(1, now: at(0))
        let (_, actions) = gate.requestPage(session("ann"), now: at(50_000))

        #expect(actions.last == .wake(60_000))
        #expect(
            gate.due(now: at(60_000)).prefix(4) == [
                .cancel(RunID(1)), .end(RunID(1), .cancelled), .publish, .start(RunID(2), .timer),
            ])
    }
}

private func at(_ uptime: Int64) -> Moment { Moment(uptime: uptime, date: 1_790_000_000_000 + uptime) }

private func session(_ name: String) -> RefreshGate.Requester { .session(name) }
