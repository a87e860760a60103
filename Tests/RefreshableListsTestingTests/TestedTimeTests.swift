import RefreshableLists
import RefreshableListsTesting
import Testing

/// Time passes when a test says so, for lists and handlers alike.
struct TestedTimeTests {
    @Test func handlerThatSleepsTakesAsLongAsTheTestSays() async {
        let clock = ManualClock()
        let list = TestedList(
            RefreshableList("hours").rows([]).refreshable {
                try await clock.sleep(for: .seconds(3)); return [ListRow("now")]
            }, clock: clock)
        await list.start()

        await list.advance(by: .milliseconds(2999))
        #expect(list.phase == .loading)
        await list.advance(by: .milliseconds(1))

        #expect(list.phase == .closing)
        #expect(list.outcomes.first?.duration == .seconds(3))
        await list.advance(by: .milliseconds(600))
        #expect(list.phase == .waiting)
    }

    @Test func everythingWithinOneStepHappensAtItsOwnMoment() async {
        let clock = ManualClock()
        let list = TestedList(
            RefreshableList("names").rows([ListRow("jarl")])
                .refreshable {
                    try await clock.sleep(for: .seconds(3)); return [ListRow("vesta"), ListRow("jarl")]
                }
                .then(after: .seconds(3)) { [ListRow("jarl")] }, clock: clock)
        await list.start()

        await list.advance(by: .seconds(5))
        #expect(await list.keys == ["vesta", "jarl"])
        await list.advance(by: .seconds(1))
        #expect(await list.keys == ["jarl"])
        #expect(list.phases == [.waiting, .loading, .closing, .waiting])
    }

    @Test func streamedRowsAndProgressAreSeenWhileItRuns() async {
        let clock = ManualClock()
        let list = TestedList(
            RefreshableList("mailbox").rows([]).mode(.stream).refreshable { run in
                for number in 1...3 {
                    try await clock.sleep(for: .seconds(1))
                    run.yield(ListRow("\(number)"))
                    run.progress(number, of: 3, "\(number) of 3")
                }
            }, clock: clock)
        let ann = await list.person()
        await ann.pullAndRelease()

        await list.advance(by: .seconds(2))

        #expect(await list.keys == ["1", "2"])
        #expect(ann.runProgress?.completed == 2)
        #expect(ann.runProgress?.note == "2 of 3")
        await list.advance(by: .seconds(1))
        #expect(ann.runProgress == nil)
        #expect(list.outcomes.last?.changes.inserted == 3)
    }

    @Test func silentHandlerIsTimedOutAndWhatItGivesLaterIsRejected() async {
        let gate = HandlerGate()
        let list = TestedList(
            RefreshableList("fruit").deadline(.seconds(5)).refreshable {
                await gate.passHeedlessly(); return [ListRow("apple")]
            })
        await list.start()

        await list.advance(by: .seconds(5))
        #expect(list.outcomes.last?.outcome == .timeout(after: .seconds(5)))
        gate.open()
        await list.settle()

        #expect(await list.rows.isEmpty)
    }

    @Test func personWhoStopsTheOnlyRequestCancelsTheHandler() async {
        let gate = HandlerGate()
        let list = TestedList(
            RefreshableList("fruit").rows([]).refreshable {
                try await gate.pass(); return []
            })
        let ann = await list.person()
        await ann.pullAndRelease()
        await list.settle()

        await ann.stop()
        await list.settle()

        #expect(list.outcomes.last?.outcome == .cancelled)
        #expect(list.errors.first is CancellationError)
        #expect(gate.waiting == 0)
    }

    @Test func sleepingHandlerHeedsItsCancellation() async {
        let clock = ManualClock()
        let list = TestedList(
            RefreshableList("fruit").rows([]).refreshable {
                try await clock.sleep(for: .seconds(9)); return []
            },
            clock: clock)
        let ann = await list.person()
        await ann.pullAndRelease()
        await list.settle()

        await ann.leave()
        await list.settle()

        #expect(list.outcomes.last?.outcome == .cancelled)
    }

    @Test func lostConnectionLeavesTheRunAlone() async {
        let gate = HandlerGate()
        let list = TestedList(
            RefreshableList("fruit").rows([]).refreshable {
                try await gate.pass(); return [ListRow("a")]
            })
        let ann = await list.person()
        await ann.pullAndRelease()
        await list.settle()

        await ann.disconnect()
        await list.advance(by: .seconds(20))
        gate.open()
        await list.settle()
        await ann.comeBack()

        #expect(list.outcomes.map(\.outcome) == [.success])
        #expect(ann.phase == .closing)
    }

    @Test func listRefreshesByItselfWhileSomebodyWatches() async {
        let list = TestedList(RefreshableList("fruit").rows([]).every(.seconds(60)).refreshable { [ListRow("apple")] })
        _ = await list.person()

        await list.advance(by: .seconds(180))

        #expect(list.outcomes.map(\.cause) == [.timer, .timer, .timer])
    }

    @Test func pullSoonerThanTheIntervalIsAnsweredFromWhatIsThere() async {
        let list = TestedList(
            RefreshableList("fruit").rows([]).minimumInterval(.seconds(10)).refreshable { [ListRow("apple")] })
        let ann = await list.person()
        await ann.pullAndRelease()
        await list.advance(by: .seconds(9))

        #expect(await ann.pullAndRelease() == .tooSoon)
        await list.advance(by: .seconds(1))
        #expect(await ann.pullAndRelease().run != nil)
    }

    @Test func handlerThatCallsBackIsDrivenByTheClockToo() async {
        let clock = ManualClock()
        let list = TestedList(
            RefreshableList("hours").rows([]).onRefresh { done in
                Task {
                    try await clock.sleep(for: .seconds(3))
                    done([ListRow("now")])
                }
            }, clock: clock)
        let ann = await list.person()
        await ann.pullAndRelease()

        await list.advance(by: .seconds(3))

        #expect(await list.keys == ["now"])
        #expect(list.outcomes.map(\.outcome) == [.success])
    }

    @Test func handlerThatNeitherEndsNorRestsIsGivenUpAfterThePatience() async {
        let (never, rows) = AsyncStream<ListRow>.makeStream()
        defer { rows.finish() }
        let list = TestedList(
            RefreshableList("fruit").refreshable { () -> [ListRow] in
                await never.reduce(into: []) { $0.append($1) }
            }, patience: .milliseconds(1))

        await list.start()

        #expect(await list.settle() == false)
        #expect(list.phase == .loading)
    }
}
