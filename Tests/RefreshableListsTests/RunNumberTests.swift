import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import Testing
import WebSockets

@testable import RefreshableLists

/// What clients saw of a run must still be true after a crash: its number, and when it began and ended.
struct RunNumberTests {
    @Test func numberThatSomebodyWasToldIsKeptEvenIfItsRunNeverBegins() async throws {
        let gatekeeper = UncancellableGate()
        let store = MemoryStore()
        let stage = Stage(RefreshableList("names").onRefresh { await gatekeeper.pass() }, store: store)
        await stage.watch()
        await gatekeeper.arrival()

        let answer = await stage.list.ask(isAfter: true)

        #expect(answer == .run(RunID(2), joined: false))
        #expect(try store.load("names").facts.runs == 2)
        gatekeeper.open()
    }

    @Test func durationCountsFromTheMomentThatTheStateTells() async throws {
        let clock = Locked<ManualClock?>(nil)
        let list = RefreshableList("names")
            .refreshable { [ListRow]() }
            .shouldRefresh {
                // Time goes on between the request and the start of its run.
                clock.withLock { $0?.advance(by: .milliseconds(40)) }
                return nil
            }
        let stage = Stage(list)
        clock.withLock { $0 = stage.clock }

        let run = await stage.refresh()

        #expect(run?.duration == .milliseconds(40))
    }

    @Test func durationEndsWhereTheNextRunBegins() async throws {
        let clock = Locked<ManualClock?>(nil)
        let gatekeeper = UncancellableGate()
        let list = RefreshableList("names")
            .deadline(.seconds(1))
            .refreshable {
                await withTaskCancellationHandler {
                    await gatekeeper.pass()
                } onCancel: {
                    // Asking a handler to stop takes its time.
                    clock.withLock { $0?.advance(by: .milliseconds(9)) }
                }
                return [ListRow]()
            }
        let stage = Stage(list)
        clock.withLock { $0 = stage.clock }
        await stage.watch()
        await gatekeeper.arrival()
        _ = await stage.list.ask(isAfter: true)

        await stage.advance(by: .seconds(1))

        #expect(await stage.list.last?.duration == 1000)
        #expect(await stage.list.gate.current?.startedAt.uptime == 1000)
        gatekeeper.open()
    }
}

extension LiveList {
    fileprivate func ask(isAfter: Bool) -> RefreshGate.Answer {
        let (answer, actions) = answer(.init(requester: .program, cause: .code, isAfter: isAfter), key: nil)
        perform(actions)
        return answer
    }
}
