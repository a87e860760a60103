import KeyedLists
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// What a run owes to its handler's life, and what not.
struct HandlerLifetimeTests {
    @Test func workThatAHandlerLeavesBehindDoesNotProlongItsRunAndItsRowsAreRejected() async {
        let gate = UncancellableGate()
        let late = Locked<Task<Void, Never>?>(nil)
        let stage = Stage(
            RefreshableList("fruit").refreshable { run in
                run.yield(ListRow("apple"))
                late.withLock {
                    $0 = Task {
                        await gate.pass()
                        run.yield(ListRow("late"))
                    }
                }
            })

        let run = await stage.refresh()
        gate.open()
        await late.withLock { $0 }?.value

        #expect(run?.outcome == .success)
        #expect(await stage.titles == ["apple"])
        #expect(await stage.list.lateRun == run?.id, "The log was not told.")
    }

    @Test func handlerThatSwallowsItsCancellationIsCancelledAllTheSame() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("apple")]).refreshable {
                await gate.pass()
                return [ListRow("banana")]
            })
        await stage.watch()
        async let run = stage.refresh(by: "ann")
        await gate.arrival()

        await stage.stop(by: "ann")
        gate.open()

        #expect(await run?.outcome == .cancelled)
        #expect(await stage.titles == ["apple"])
    }

    @Test func cancelledRunIsNeitherASuccessNorAFailure() async {
        let stage = Stage(
            RefreshableList("fruit").refreshable { () async throws -> [ListRow] in throw CancellationError() })

        let run = await stage.refresh()

        #expect(run?.outcome == .cancelled)
        #expect(await stage.list.kept?.facts.updatedAt == nil)
        #expect(await stage.list.kept?.facts.staleSince == nil)
    }

    @Test func pullDuringTheInitialLoadJoinsIt() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        await stage.watch()
        await gate.arrival()

        async let pulled = stage.refresh(by: "ann")
        while await stage.list.waiters.isEmpty { await Task.yield() }
        gate.open()

        #expect(await pulled?.cause == .initial)
        #expect(gate.begun == 1)
    }

    @Test func listAsksOnceForEachRequestWhetherItMayRefresh() async {
        let asked = Locked(0)
        let stage = Stage(
            RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] }.shouldRefresh {
                asked.withLock { $0 += 1 }
                return nil
            })

        await stage.refresh()
        #expect(asked.withLock { $0 } == 1)
        await stage.advance(by: .seconds(1))
        await stage.refresh()

        #expect(asked.withLock { $0 } == 2)
    }
}

extension Stage {
    /// Refreshes as a person's pull does, and waits for the end.
    fileprivate func refresh(by session: String) async -> FinishedRun? {
        await withCheckedContinuation { continuation in
            list.post { list in
                list.refresh(
                    .init(requester: .session(session), cause: .pull),
                    pending: RequestID(socket: 1, messageID: "1", gesture: 1), to: LoopFeed { _ in })
                guard let run = list.gate.current?.run else { return continuation.resume(returning: nil) }
                list.waiters[run, default: []].append(RunWaiter(by: .program) { continuation.resume(returning: $0) })
            }
        }
    }

    fileprivate func stop(by session: String) async {
        await list.settle()
        list.post { list in
            if let run = list.gate.current?.run { list.stop(run, by: session) }
        }
        await list.settle()
    }
}
