import KeyedLists
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// Refreshing from code (SEEDS D4, E1, E2): optional, callable from anywhere, awaited.
struct RefreshActionTests {
    @Test func aListWithoutAHandlerHasNoRefreshAction() {
        #expect(Stage(RefreshableList("names")).list.refresh == nil)
    }

    @Test func callingTheActionRefreshesAndReturnsTheOutcome() async {
        let stage = Stage(RefreshableList("names").refreshable { [ListRow("a")] })

        #expect(await stage.list.refresh?() == .success)
        #expect(await stage.titles == ["a"])
    }

    @Test func callingTheActionWhileItRunsJoins() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return [ListRow("a")]
            })
        async let first = stage.list.refresh?()
        await gate.arrival()

        async let second = stage.list.refresh?()
        await stage.requests(2)
        gate.open()

        #expect(await [first, second] == [.success, .success])
        #expect(gate.begun == 1)
    }

    @Test func aCallForAfterwardsIsServedByOneMoreRun() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return [ListRow("a")]
            })
        async let first = stage.list.refresh?()
        await gate.arrival()

        async let second = stage.list.refresh?(fresh: .after)
        async let third = stage.list.refresh?(fresh: .after)
        await stage.requests(3)
        gate.open()

        #expect(await [first, second, third] == [.success, .success, .success])
        #expect(gate.begun == 2)
    }

    @Test func startingBeginsOneRunHoweverOften() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return [ListRow("a")]
            })

        stage.list.refresh?.start()
        stage.list.refresh?.start()
        await gate.arrival()
        let outcome = Task { await stage.list.refresh?() }
        await stage.requests(2)
        gate.open()

        #expect(await outcome.value == .success)
        #expect(gate.begun == 1)
    }

    @Test func finishingEndsTheRunWithWhatItHasYielded() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").rows([ListRow("old")]).refreshable { run in
                run.yield(ListRow("a"))
                await gate.pass()
                run.yield(ListRow("late"))
            })
        async let outcome = stage.list.refresh?()
        await gate.arrival()

        stage.list.refresh?.finish()

        #expect(await outcome == .success)
        #expect(await stage.titles == ["a"])
        gate.open()
        await stage.refresh()
        #expect(await stage.titles == ["a", "late"])
        await stage.until { await stage.list.overdueHandlers == 0 }
    }

    @Test func finishingARunThatHasYieldedNothingKeepsTheRows() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").rows([ListRow("old")]).refreshable {
                await gate.pass()
                return [ListRow("a")]
            })
        async let outcome = stage.list.refresh?()
        await gate.arrival()

        stage.list.refresh?.finish()

        #expect(await outcome == .success)
        #expect(await stage.titles == ["old"])
        gate.open()
    }

    @Test func finishingDoesNothingWhileNoRunIsUnderWay() async {
        let stage = Stage(RefreshableList("names").rows([ListRow("old")]).refreshable { [ListRow("a")] })
        let ends = stage.list.outcomes

        stage.list.refresh?.finish()
        await stage.list.end()

        #expect(await ends.first(1).isEmpty)
    }

    @Test func aRefusedCallIsAFailureThatSaysSo() async {
        let stage = Stage(RefreshableList("names").refreshable { [ListRow("a")] }.shouldRefresh { "Not on Sundays." })

        let outcome = await stage.list.refresh?()

        #expect(outcome == .failure(RefreshFailure("Not on Sundays.", code: "refused")))
        #expect(await stage.titles.isEmpty)
    }

    @Test func cancellingTheOnlyTaskThatWaitsCancelsTheRun() async {
        let gate = UncancellableGate()
        let wasCancelled = Locked(false)
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass()
                wasCancelled.withLock { $0 = Task.isCancelled }
                return [ListRow("a")]
            })
        let ends = stage.list.outcomes
        let call = Task { await stage.list.refresh?() }
        await gate.arrival()

        call.cancel()
        let outcome = await call.value
        await stage.list.settle()
        gate.open()

        #expect(outcome == .cancelled)
        #expect(await ends.first(1).map(\.outcome) == [.cancelled])
        #expect(wasCancelled.withLock { $0 })
        #expect(await stage.titles.isEmpty)
    }

    @Test func cancellingOneOfTwoTasksLeavesTheRunToTheOther() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return [ListRow("a")]
            })
        let first = Task { await stage.list.refresh?() }
        await gate.arrival()
        let second = Task { await stage.list.refresh?() }
        await stage.requests(2)

        first.cancel()
        let outcome = await first.value
        gate.open()

        #expect(outcome == .cancelled)
        #expect(await second.value == .success)
        #expect(await stage.titles == ["a"])
    }

    @Test func aTaskThatWasCancelledBeforeAsksForNothing() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return []
            })
        let blocker = UncancellableGate()
        let call = Task {
            await blocker.pass()
            return await stage.list.refresh?()
        }
        await blocker.arrival()
        call.cancel()
        blocker.open()

        #expect(await call.value == .cancelled)
        await stage.list.settle()
        #expect(gate.begun == 0)
    }

    @Test func whoeverWaitsIsToldWhenTheServerStops() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return []
            })
        let call = Task { await stage.list.refresh?() }
        await gate.arrival()

        await stage.list.end()

        #expect(await call.value == .cancelled)
        #expect(await stage.list.refresh?() == .cancelled)
        gate.open()
    }
}

extension Stage {
    /// Waits until so many calls are known to the list.
    fileprivate func requests(_ count: Int) async {
        while await list.waiters.values.joined().count < count { await Task.yield() }
    }
}
