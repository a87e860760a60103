import Glibc
import KeyedLists
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// The form of handler that calls back: `done` belongs to one run, and the first call wins.
struct CompletionTests {
    @Test func doneEndsTheRunAndTheRowsStay() async {
        let stage = Stage(RefreshableList("hours").rows([ListRow("a")]).onRefresh { done in done() })

        let run = await stage.refresh()

        #expect(run?.outcome == .success)
        #expect(await stage.titles == ["a"])
    }

    @Test func doneWithRowsMakesThemTheList() async {
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("a")]).onRefresh { done in done(["Apple", "Orange"]) })

        await stage.refresh()

        #expect(await stage.titles == ["Apple", "Orange"])
    }

    @Test func whatWasYieldedBeforeDoneIsTheList() async {
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("a")]).onRefresh { done in
                done.yield(ListRow("b"))
                done.yield("c")
                done()
            })

        await stage.refresh()

        #expect(await stage.titles == ["b", "c"])
    }

    @Test func doneMayBeCalledLaterFromAnotherThread() async {
        let kept = Locked<RefreshCompletion?>(nil)
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").onRefresh { done in
                kept.withLock { $0 = done }
                Task { await gate.pass() }
            })
        async let run = stage.refresh()
        await gate.arrival()
        let isLoading = await stage.list.gate.current != nil
        onAThread { kept.withLock { $0 }?([ListRow("apple")]) }

        #expect(isLoading)
        #expect(await run?.outcome == .success)
        #expect(await stage.titles == ["apple"])
        gate.open()
    }

    @Test func firstCallOfDoneWins() async {
        let stage = Stage(
            RefreshableList("fruit").onRefresh { done in
                done([ListRow("first")])
                done([ListRow("second")])
                done.fail(RefreshFailure("No."))
            })

        let run = await stage.refresh()
        await stage.list.settle()

        #expect(run?.outcome == .success)
        #expect(await stage.titles == ["first"])
        #expect(await stage.list.overdueHandlers == 0)
    }

    @Test func doneCalledTwiceDoesNotEndTheNextRun() async {
        let kept = Locked<[RefreshCompletion]>([])
        let stage = Stage(RefreshableList("fruit").onRefresh { done in kept.withLock { $0.append(done) } })
        async let first = stage.refresh()
        await stage.until { kept.withLock { $0.count } == 1 }
        kept.withLock { $0[0] }()
        _ = await first
        async let second = stage.refresh()
        await stage.until { kept.withLock { $0.count } == 2 }

        kept.withLock { $0[0] }()
        let isLoading = await stage.list.gate.current?.run == RunID(2)
        kept.withLock { $0[1] }([ListRow("b")])

        #expect(isLoading)
        #expect(await second?.id == RunID(2))
        #expect(await stage.titles == ["b"])
    }

    @Test func failEndsTheRunAndItsFailureIsWhatPeopleRead() async {
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("a")]).onRefresh { $0.fail(RefreshFailure("The market is closed.")) }
        )

        let run = await stage.refresh()

        #expect(run?.outcome == .failure(RefreshFailure("The market is closed.")))
        #expect(await stage.titles == ["a"])
    }

    @Test func doneThatIsLetGoUncalledIsAFailureWithAClearText() async {
        let stage = Stage(RefreshableList("fruit").rows([ListRow("a")]).onRefresh { _ in })

        let run = await stage.refresh()

        #expect(run?.outcome == .failure(.abandoned))
        #expect(RefreshFailure.explaining(RefreshAbandoned()).detail?.contains("done.fail(error)") == true)
        #expect(await stage.list.overdueHandlers == 0)
    }

    @Test func doneThatIsNeverCalledEndsAtTheDeadlineAsTimedOut() async {
        let kept = Locked<RefreshCompletion?>(nil)
        let stage = Stage(
            RefreshableList("fruit").deadline(.seconds(5)).onRefresh { done in kept.withLock { $0 = done } })
        async let run = stage.refresh()
        await stage.until { kept.withLock { $0 } != nil }

        await stage.advance(by: .seconds(5))
        let outcome = await run?.outcome
        let done = kept.withLock { $0 }
        done?([ListRow("late")])
        await stage.list.settle()

        #expect(outcome == .timeout(after: .seconds(5)))
        #expect(done?.isCancelled == true)
        #expect(await stage.titles.isEmpty)
        #expect(await stage.list.overdueHandlers == 0)
    }

    @Test func whatIsYieldedAfterDoneIsRejected() async {
        let kept = Locked<RefreshCompletion?>(nil)
        let stage = Stage(
            RefreshableList("fruit").mode(.stream).onRefresh { done in
                kept.withLock { $0 = done }
                done([ListRow("apple")])
            })
        await stage.refresh()

        kept.withLock { $0 }?.yield(ListRow("late"))
        kept.withLock { $0 }?.progress(1)
        await stage.advance(by: .seconds(1))

        #expect(await stage.titles == ["apple"])
    }

    @Test func doneEndsTheIndicatorThoughItsCodeGoesOn() async {
        let gate = Barrier()
        defer { gate.open() }
        let stage = Stage(
            RefreshableList("fruit").onRefresh { done in
                done([ListRow("apple")])
                gate.wait()
            })

        let run = await stage.refresh()

        #expect(run?.outcome == .success)
        #expect(await stage.list.gate.current == nil)
    }

    @Test func stoppedRunAsksTheWorkToStop() async {
        let stops = Locked(0)
        let kept = Locked<RefreshCompletion?>(nil)
        let stage = Stage(
            RefreshableList("fruit").onRefresh { done in
                done.onCancel { [weak done] in
                    stops.withLock { $0 += 1 }
                    done?.fail(CancellationError())
                }
                done.progress(0)
                kept.withLock { $0 = done }
            })
        await stage.watch()
        async let run = stage.refreshAsPerson("ann")
        await stage.until { await stage.contents().progress != nil }
        await stage.until { await stage.list.gate.current?.requesters.isEmpty == false }

        await stage.stop("ann")

        #expect(await run?.outcome == .cancelled)
        #expect(stops.withLock { $0 } == 1)
    }

    @Test func progressOfAnUnfinishedCallbackPutsOffItsDeadline() async {
        let kept = Locked<RefreshCompletion?>(nil)
        let stage = Stage(
            RefreshableList("fruit").deadline(.seconds(5)).onRefresh { done in kept.withLock { $0 = done } })
        async let run = stage.refresh()
        await stage.until { kept.withLock { $0 } != nil }

        await stage.advance(by: .seconds(4))
        kept.withLock { $0 }?.progress(1, of: 2, "half")
        await stage.list.settle()
        await stage.advance(by: .seconds(4))
        kept.withLock { $0 }?()

        #expect(await run?.outcome == .success)
    }

    private func onAThread(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_join(thread, nil)
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

extension Stage {
    /// Waits until something is so that others bring about.
    func until(_ condition: () async -> Bool) async {
        while !(await condition()) { await Task.yield() }
    }

    /// Refreshes as a person's session does, and waits for the end.
    func refreshAsPerson(_ session: String) async -> FinishedRun? {
        await withCheckedContinuation { continuation in
            list.post { list in
                list.refresh(.init(requester: .session(session), cause: .refresh)) { answer in
                    if case .run = answer { return }
                    continuation.resume(returning: nil)
                } whenOver: { run in
                    continuation.resume(returning: run)
                }
            }
        }
    }

    /// A person stops the run under way.
    func stop(_ session: String) async {
        await withCheckedContinuation { continuation in
            list.post { list in
                if let run = list.gate.current?.run { list.stop(run, by: session) }
                continuation.resume()
            }
        }
    }
}
