import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Pulling
import RefreshableListsTesting
import Testing
import WebSockets

@testable import RefreshableLists

/// One list with its handler, its clock and its watchers; no socket, no sleep.
struct LiveListTests {
    @Test func firstWatcherStartsTheInitialLoadAndTheSecondDoesNot() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass(); return [ListRow("apple")]
            })

        await stage.watch()
        await stage.watch()
        gate.open()
        await stage.tested.settle()

        #expect(gate.begun == 1)
        #expect(await stage.titles == ["apple"])
    }

    @Test func listThatStartsWithRowsHasNoInitialRun() async {
        let stage = Stage(RefreshableList("names").rows([ListRow("jarl")]).refreshable { [ListRow("vesta")] })

        await stage.watch()

        #expect(await stage.titles == ["jarl"])
        #expect(await stage.contents().states.newest?.phase == .waiting)
        #expect(await stage.contents().states.newest?.told.run == nil)
    }

    @Test func loadingIsToldBeforeTheHandlersFirstInstruction() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass(); return []
            })

        await stage.watch()
        await gate.arrival()

        #expect(await stage.contents().states.newest?.phase == .loading)
        gate.open()
    }

    @Test func overlappingRefreshesAreOneRunWithOneOutcome() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass(); return [ListRow("apple")]
            })

        async let first = stage.refresh()
        async let second = stage.refresh()
        await gate.arrival()
        gate.open()

        #expect(await first == second)
        #expect(gate.begun == 1)
    }

    @Test func handlerThatThrowsKeepsTheRowsAndMarksThemAsStale() async {
        let isBroken = Locked(false)
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                if isBroken.withLock({ $0 }) { throw RefreshFailure("The market is closed.") }
                return [ListRow("apple")]
            })
        await stage.refresh()
        isBroken.withLock { $0 = true }

        let run = await stage.refresh()

        #expect(run?.outcome == .failure(RefreshFailure("The market is closed.")))
        #expect(await stage.titles == ["apple"])
        #expect(await stage.list.kept?.facts.staleSince != nil)
    }

    @Test func errorThatWasNotWrittenForPeopleIsNotShownToThem() async {
        struct Secret: Error { let password = "hunter2" }
        let stage = Stage(RefreshableList("fruit").refreshable { throw Secret() })

        let run = await stage.refresh()

        guard case .failure(let failure) = run?.outcome else { return #expect(Bool(false), "It failed.") }
        #expect(!failure.message.contains("hunter2"))
    }

    @Test func keyThatComesTwiceFailsTheRunAndIsNamed() async {
        let stage = Stage(RefreshableList("fruit").refreshable { [ListRow("apple"), ListRow("apple")] })

        let run = await stage.refresh()

        #expect(run?.outcome == .failure(RefreshFailure("Two rows have the key \"apple\".", code: "duplicateKey")))
        #expect(await stage.titles.isEmpty)
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func keyThatComesTwiceMayBePassedOver(mode: RefreshableList.Mode) async {
        let stage = Stage(
            RefreshableList("news").mode(mode).duplicates(.keepFirst).refreshable { run in
                run.yield([ListRow("a", title: "first"), ListRow("b")])
                run.yield([ListRow("c"), ListRow("a", title: "second")])
            })

        let run = await stage.refresh()

        #expect(run?.outcome == .success)
        #expect(await stage.titles == ["a", "b", "c"])
        #expect(await stage.list.kept?.rows["a"]?.fields["title"] == "first")
    }

    @Test func onlySuccessMovesTheTimeOfTheLastUpdate() async {
        let isBroken = Locked(false)
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                if isBroken.withLock({ $0 }) { throw RefreshFailure("No.") }
                return []
            })
        await stage.refresh()
        let updatedAt = await stage.list.kept?.facts.updatedAt
        isBroken.withLock { $0 = true }
        await stage.advance(by: .seconds(5))

        await stage.refresh()

        #expect(updatedAt != nil)
        #expect(await stage.list.kept?.facts.updatedAt == updatedAt)
    }

    @Test func streamShowsItsFirstRowAtOnceAndTheNextOnesEvery50Milliseconds() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("log").mode(.stream).refreshable { run in
                run.yield(ListRow("a"))
                run.yield(ListRow("b"))
                await gate.pass()
            })
        await stage.watch()
        await gate.arrival()

        #expect(await stage.titles == ["a"])
        await stage.advance(by: .milliseconds(50))
        #expect(await stage.titles == ["a", "b"])
        gate.open()
    }

    @Test func rowsThatAStreamDidNotYieldStayUnlessTheRunSucceeds() async {
        let round = Locked(0)
        let stage = Stage(
            RefreshableList("log").mode(.stream).refreshable { run in
                let number = round.withLock { round in
                    round += 1
                    return round
                }
                if number == 1 { return run.yield([ListRow("a"), ListRow("b")]) }
                run.yield(ListRow("b"))
                if number == 2 { throw RefreshFailure("No.") }
            })

        await stage.refresh()
        await stage.refresh()
        let afterFailure = await stage.titles
        await stage.refresh()

        #expect(afterFailure.sorted() == ["a", "b"])
        #expect(await stage.titles == ["b"])
    }

    @Test func rowsOfARunThatTimedOutAreRejected() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").deadline(.seconds(5)).refreshable {
                await gate.pass(); return [ListRow("apple")]
            })
        async let run = stage.refresh()
        await gate.arrival()

        await stage.advance(by: .seconds(5))
        let outcome = (await run)?.outcome
        gate.open()
        await stage.advance(by: .seconds(1))

        #expect(outcome == .timeout(after: .seconds(5)))
        #expect(await stage.titles.isEmpty)
    }

    @Test func listWithFourOverdueHandlersFailsTheNextRunAtOnce() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").deadline(.seconds(5)).refreshable {
                await gate.pass(); return []
            })
        for number in 1...4 {
            async let run = stage.refresh()
            await gate.arrival(number)
            await stage.advance(by: .seconds(5))
            _ = await run
        }

        let fifth = await stage.refresh()

        #expect(fifth?.outcome == .failure(.tooManyOverdue))
        #expect(gate.begun == 4)
        gate.open()
    }

    @Test func refreshWithTheSameKeyIsOneRun() async {
        let gate = UncancellableGate()
        gate.open()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass(); return []
            })

        for _ in 1...3 {
            await withCheckedContinuation { continuation in
                stage.list.post {
                    $0.refresh(.init(requester: .program, cause: .code), key: IdempotencyKey("k", of: .address(""))) {
                        _ in
                    } whenOver: { _ in
                        continuation.resume()
                    }
                }
            }
        }

        #expect(gate.begun == 1)
    }

    @Test func editAfterARunIsCalledOffByANewRun() async {
        let rows = Locked([ListRow("a")])
        let stage = Stage(
            RefreshableList("names").refreshable { rows.withLock { $0 } }
                .then(after: .seconds(3)) { [ListRow("before")] })

        await stage.refresh()
        await stage.advance(by: .seconds(2))
        rows.withLock { $0 = [ListRow("b")] }
        await stage.refresh()
        await stage.advance(by: .seconds(2))
        let afterFour = await stage.titles
        await stage.advance(by: .seconds(1))

        #expect(afterFour == ["b"])
        #expect(await stage.titles == ["before"])
    }

    @Test func watcherWhoKnowsTheEpochIsToldOnlyWhatIsNew() async {
        let rows = Locked([ListRow("a")])
        let stage = Stage(RefreshableList("fruit").refreshable { rows.withLock { $0 } })
        await stage.refresh()
        let kept = await stage.list.kept!
        rows.withLock { $0.append(ListRow("b")) }
        await stage.refresh()

        await stage.watch(resuming: .init(epoch: kept.epoch.description, revision: kept.rows.revision))

        let batch = await stage.contents().attachments.first?.rows
        #expect(batch?.from == kept.rows.revision)
        #expect(batch?.snapshot == nil)
    }

    @Test func watcherOfAnotherEpochGetsASnapshot() async {
        let stage = Stage(RefreshableList("fruit").refreshable { [ListRow("a")] })
        await stage.refresh()

        await stage.watch(resuming: .init(epoch: "elsewhere", revision: 1))

        #expect(await stage.contents().attachments.first?.rows?.snapshot != nil)
    }

    @Test func allWhoJoinAtOneRevisionShareOneEncoding() async {
        let stage = Stage(RefreshableList("fruit").refreshable { [ListRow("a")] })
        await stage.refresh()

        for _ in 1...1000 { await stage.watch() }

        let snapshots = await stage.contents().attachments.compactMap { $0.rows?.snapshot }
        #expect(snapshots.count == 1000)
        #expect(Set(snapshots.map(ObjectIdentifier.init)).count == 1)
    }
}

extension LoopFeed.Contents {
    var attachments: [WatchStart] {
        deliveries.compactMap { if case .attached(let attachment) = $0 { attachment } else { nil } }
    }
}
