import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import Testing
import WebSockets

@testable import RefreshableLists

/// The rules of a run, from its start to what comes too late.
struct RunRuleTests {
    @Test func stopByTheOnlyRequesterReachesTheHandlersTask() async {
        let gate = UncancellableGate()
        let wasCancelled = Locked(false)
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("old")]).refreshable {
                await gate.pass()
                wasCancelled.withLock { $0 = Task.isCancelled }
                return [ListRow("new")]
            })
        async let run = stage.refreshAsPerson("ann")
        await gate.arrival()

        await stage.stop("ann")
        gate.open()

        #expect(await run?.outcome == .cancelled)
        #expect(wasCancelled.withLock { $0 })
        #expect(await stage.titles == ["old"], "a swallowed cancellation is no success")
    }

    @Test func firstLoadThatWasCancelledIsBegunByTheNextWatcher() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        await stage.watch()
        await gate.arrival()
        await stage.stop("ann")
        gate.open()
        await stage.tested.settle()
        #expect(await stage.titles.isEmpty)
        #expect(await stage.contents().states.newest?.phase == .closing)

        await stage.watch()
        await stage.tested.settle()

        #expect(gate.begun == 2)
        #expect(await stage.titles == ["apple"])
    }

    @Test func whoComesWhileTheFirstLoadIsBeingCancelledGetsAnother() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        await stage.watch()
        await gate.arrival()
        await stage.stop("ann")
        await stage.watch()
        gate.open()
        await stage.tested.settle()

        #expect(gate.begun == 2)
        #expect(await stage.titles == ["apple"])
    }

    @Test func firstLoadThatFailedIsNotBegunAgainByTheNextWatcher() async {
        let runs = Locked(0)
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                runs.withLock { $0 += 1 }
                throw RefreshFailure("The well is dry.")
            })
        await stage.watch()
        await stage.tested.settle()
        await stage.watch()
        await stage.tested.settle()

        #expect(runs.withLock(\.self) == 1)
    }

    @Test func deadlineCountsFromTheLastRowOrReport() async {
        let runs = Locked<RefreshRun?>(nil)
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").deadline(.seconds(5)).refreshable { run in
                runs.withLock { $0 = run }
                await gate.pass()
            })
        async let end = stage.refresh()
        await gate.arrival()

        await stage.advance(by: .seconds(4))
        runs.withLock { $0 }?.yield(ListRow("a"))
        await stage.list.settle()
        await stage.advance(by: .seconds(4))
        runs.withLock { $0 }?.progress(1, of: 2)
        await stage.list.settle()
        await stage.advance(by: .seconds(4))
        let isLoading = await stage.list.gate.current != nil
        await stage.advance(by: .seconds(1))

        #expect(isLoading)
        #expect(await end?.outcome == .timeout(after: .seconds(5)))
        gate.open()
    }

    @Test func timedOutRunSaysHowLongItWasAndHowToAllowMore() async {
        let gate = UncancellableGate()
        let stage = Stage(RefreshableList("fruit").deadline(.milliseconds(1500)).onRefresh { await gate.pass() })
        async let end = stage.refresh()
        await gate.arrival()

        await stage.advance(by: .milliseconds(1500))
        _ = await end

        let message = await stage.list.last?.error?.message
        #expect(message?.contains("1500 ms") == true)
        #expect(message?.contains("deadline") == true)
        gate.open()
    }

    @Test func rowsFromATaskThatOutlivesTheHandlerAreRejected() async {
        let runs = Locked<RefreshRun?>(nil)
        let stage = Stage(
            RefreshableList("fruit").mode(.stream).refreshable { run in
                runs.withLock { $0 = run }
                run.yield(ListRow("a"))
            })
        await stage.refresh()

        runs.withLock { $0 }?.yield(ListRow("late"))
        await stage.advance(by: .seconds(1))

        #expect(await stage.titles == ["a"])
    }

    @Test func rowsThatAHandlerYieldsAfterItWasStoppedAreRejected() async {
        let gate = UncancellableGate()
        let runs = Locked<RefreshRun?>(nil)
        let stage = Stage(
            RefreshableList("fruit").rows([]).mode(.stream).refreshable { run in
                runs.withLock { $0 = run }
                run.yield([ListRow("a")])
                run.yield([ListRow("b")])
                await gate.pass()
            })
        await stage.watch()
        async let end = stage.refreshAsPerson("ann")
        await gate.arrival()
        let before = await stage.titles

        await stage.stop("ann")
        runs.withLock { $0 }?.yield(ListRow("late"))
        runs.withLock { $0 }?.progress(1)
        await stage.advance(by: .seconds(1))
        gate.open()

        #expect(await end?.outcome == .cancelled)
        #expect(before == ["a"])
        #expect(await stage.titles == ["a"], "neither what came late nor what had waited")
        #expect(await stage.contents().progress == nil)
    }

    @Test func streamThatTimesOutSweepsNothing() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("log").rows([ListRow("a"), ListRow("b")]).mode(.stream).deadline(.seconds(5)).refreshable {
                run in
                run.yield(ListRow("b"))
                await gate.pass()
            })
        async let end = stage.refresh()
        await gate.arrival()

        await stage.advance(by: .seconds(5))

        #expect(await end?.outcome == .timeout(after: .seconds(5)))
        #expect(await stage.titles.sorted() == ["a", "b"])
        gate.open()
    }

    @Test func streamThatIsStoppedSweepsNothing() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("log").rows([ListRow("a"), ListRow("b")]).mode(.stream).refreshable { run in
                run.yield(ListRow("b"))
                await gate.pass()
            })
        async let end = stage.refreshAsPerson("ann")
        await gate.arrival()

        await stage.stop("ann")
        gate.open()

        #expect(await end?.outcome == .cancelled)
        #expect(await stage.titles.sorted() == ["a", "b"])
    }

    @Test func overdueHandlerThatReturnsMakesRoomForAnother() async {
        let gate = UncancellableGate()
        let stage = Stage(RefreshableList("fruit").deadline(.seconds(5)).onRefresh { await gate.pass() })
        for number in 1...4 {
            async let run = stage.refresh()
            await gate.arrival(number)
            await stage.advance(by: .seconds(5))
            _ = await run
        }
        let refused = await stage.refresh()
        gate.open()
        await stage.until { await stage.list.overdueHandlers == 0 }

        #expect(refused?.outcome == .failure(.tooManyOverdue))
        #expect(await stage.refresh()?.outcome == .success)
    }

    @Test func keyIsForgottenAfterTenMinutes() async {
        let stage = Stage(RefreshableList("fruit").refreshable { [] })
        let first = await stage.refresh(key: "k")
        await stage.advance(by: .seconds(599))
        let same = await stage.refresh(key: "k")
        await stage.advance(by: .seconds(1))

        let new = await stage.refresh(key: "k")

        #expect(first?.id == RunID(1))
        #expect(same?.id == RunID(1))
        #expect(new?.id == RunID(2))
    }

    @Test func whoComesLateIsToldTheWholeState() async {
        let gate = UncancellableGate()
        let isBroken = Locked(false)
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                if isBroken.withLock({ $0 }) { throw RefreshFailure("The market is closed.") }
                await gate.pass()
                return [ListRow("apple")]
            })
        async let first = stage.refreshAsPerson("ann")
        await gate.arrival()
        let loading = await stage.lateComer()
        gate.open()
        _ = await first
        let closing = await stage.lateComer()
        await stage.advance(by: .seconds(1))
        isBroken.withLock { $0 = true }
        await stage.refresh()
        await stage.advance(by: .seconds(1))
        let waiting = await stage.lateComer()

        let start: Int64 = 1_790_000_000_000
        #expect(loading?.phase == .loading)
        #expect(loading?.run == "r1")
        #expect(loading?.cause == .refresh)
        #expect(loading?.startedAt == start)
        #expect(closing?.phase == .closing)
        #expect(closing?.run == "r1")
        #expect(closing?.updatedAt == start)
        #expect(closing?.last?.run == "r1")
        #expect(waiting?.phase == .waiting)
        #expect(waiting?.updatedAt == start)
        #expect(waiting?.staleSince == start + 1000)
        #expect(waiting?.last?.error?.message == "The market is closed.")
    }

    @Test func listThatNothingCanLoadDoesNotRefreshByItself() async {
        let stage = Stage(RefreshableList("names").rows([ListRow("a")]).every(.seconds(1)))
        await stage.watch()

        await stage.advance(by: .seconds(10))

        #expect(await stage.list.gate.runs == 0)
    }

    @Test func handlersOwnCancellationIsNeitherFailureNorSuccess() async {
        let stage = Stage(RefreshableList("fruit").refreshable { throw CancellationError() })

        #expect(await stage.refresh()?.outcome == .cancelled)
        #expect(await stage.list.kept?.facts.updatedAt == nil)
        #expect(await stage.list.kept?.facts.staleSince == nil)
    }
}

extension Stage {
    /// Refreshes as a program does that may send its request again.
    fileprivate func refresh(key: String) async -> FinishedRun? {
        await withCheckedContinuation { continuation in
            list.post {
                $0.refresh(.init(requester: .program, cause: .code), key: IdempotencyKey(key, of: .address(""))) { _ in
                } whenOver: {
                    continuation.resume(returning: $0)
                }
            }
        }
    }
}
