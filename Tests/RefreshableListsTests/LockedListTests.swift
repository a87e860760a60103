import Foundation
import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// While another program holds the store, a list goes on answering, and what it has to keep is kept in its turn.
struct LockedListTests {
    private let store = FailingStore()

    /// A list with one row that takes pushes and is refreshed with two.
    private func stage(_ gate: UncancellableGate? = nil) async throws -> Stage {
        let stage = Stage(
            RefreshableList("names").rows([ListRow("a")]).acceptsPushes().refreshable {
                await gate?.pass()
                return [ListRow("a", title: "source"), ListRow("b")]
            }, store: store)
        #expect(try await stage.list.rows.count == 1)
        return stage
    }

    @Test func whileTheStoreIsHeldRowsAreReadAndWatched() async throws {
        let stage = try await stage()
        store.fail([.held])
        let pushed = stage.list.push("k")

        #expect(try await stage.list.rows == [ListRow("a")])
        #expect(await stage.list.read().status == 200)
        await stage.watch()
        #expect(await stage.contents().deliveries.last?.attachedRevision == 1)
        await stage.askForDigest()
        #expect(await stage.contents().deliveries.count == 2)
        #expect(pushed.response == nil)
        #expect(stage.list.statistics.contents?.revision == 1)

        store.fail([])
        await stage.advance(by: .milliseconds(100))
        #expect(pushed.response?.status == 201)
        #expect(stage.list.statistics.contents?.revision == 2)
        #expect(await stage.titles == ["k", "a"])
        #expect(await stage.contents().ring.revision == 2)
    }

    @Test func whatWaitedIsDoneInItsOrder() async throws {
        let stage = try await stage()
        store.fail([.held])
        let pushes = (0..<20).map { stage.list.push(Key("k\($0)")) }
        await stage.advance(by: .seconds(1))
        #expect(pushes.allSatisfy { $0.response == nil })

        store.fail([])
        let last = stage.list.push("last")
        await stage.advance(by: .milliseconds(100))

        #expect((pushes + [last]).allSatisfy { $0.response?.status == 201 })
        #expect(await stage.titles == ["last"] + (0..<20).reversed().map { "k\($0)" } + ["a"])
        #expect(try store.kept("names").list.revision == 22)
    }

    @Test func afterFiveSecondsAPushIsRefusedAndHasChangedNothing() async throws {
        let stage = try await stage()
        store.fail([.held])
        let pushed = stage.list.push("k")
        await stage.advance(by: .milliseconds(4999))
        #expect(pushed.response == nil)

        await stage.advance(by: .milliseconds(60))

        #expect(pushed.response?.status == 503)
        store.fail([])
        await stage.advance(by: .seconds(1))
        #expect(await stage.titles == ["a"])
        #expect(try store.kept("names").list.revision == 1)
    }

    @Test func aHandlerBeginsOnlyOnceItsRunsNumberIsKept() async throws {
        let gate = UncancellableGate()
        let stage = try await stage(gate)
        gate.open()
        await stage.refresh()
        store.fail([.held])

        let answer = await stage.list.begin()

        // Who asks is answered at once.
        #expect(answer == .run("r2", joined: false))
        #expect(gate.begun == 1)
        #expect(await stage.list.phase == .loading)
        store.fail([])
        await stage.advance(by: .milliseconds(100))
        #expect(try store.kept("names").facts.runs == 2)
        #expect(stage.tested.outcomes.last?.id == RunID(2))
        #expect(stage.tested.outcomes.last?.outcome == .success)
    }

    /// It marks a number that people hear of before it is kept: in another process, the next run must not have it.
    @Test func theStoreIsAskedToKeepANumberBeforePeopleHearOfItThoughOthersWait() async throws {
        let stage = try await stage()
        store.fail([.held])
        let pushed = stage.list.push("k")
        #expect(await stage.list.begin() == .run("r1", joined: false))
        #expect(store.askedRuns == 1 && pushed.response == nil)
        await stage.list.end()
    }

    @Test func aRunWhoseNumberCannotBeKeptInTimeFailsWithoutItsHandler() async throws {
        let gate = UncancellableGate()
        let stage = try await stage(gate)
        store.fail([.held])
        _ = await stage.list.begin()

        await stage.advance(by: .seconds(6))

        #expect(gate.begun == 0)
        #expect(stage.tested.outcomes.last?.outcome.name == "failure")
        #expect(await stage.list.gate.current == nil)
        // What waits holds on to its list.
        await stage.list.end()
    }

    @Test func aRunEndsOnceItsRowsAreKeptAndNoEarlier() async throws {
        let gate = UncancellableGate()
        let stage = try await stage(gate)
        _ = await stage.list.begin()
        await gate.arrival()
        store.fail([.held])
        gate.open()
        await stage.advance(by: .seconds(4))
        let pushed = stage.list.push("k")
        #expect(await stage.list.gate.current != nil)
        #expect(await stage.titles == ["a"])

        store.fail([])
        await stage.advance(by: .milliseconds(100))

        #expect(stage.tested.outcomes.map(\.outcome) == [.success])
        #expect(pushed.response?.status == 201)
        #expect(await stage.titles == ["k", "a", "b"])
    }

    @Test func aRunThatIsCancelledWhileItsRowsWaitGivesNone() async throws {
        let gate = UncancellableGate()
        let stage = try await stage(gate)
        _ = await stage.list.begin()
        await gate.arrival()
        store.fail([.held])
        gate.open()
        await stage.tested.settle()

        await stage.list.stopRun()
        await stage.advance(by: .seconds(3))
        store.fail([])
        await stage.advance(by: .seconds(3))

        #expect(stage.tested.outcomes.map(\.outcome) == [.cancelled])
        #expect(await stage.titles == ["a"])
    }

    @Test func aListThatEndsLeavesNobodyWaiting() async throws {
        let stage = try await stage()
        store.fail([.held])
        let pushed = stage.list.push("k")
        await stage.list.end()
        #expect(pushed.response?.status == 503)
    }

    @Test func firstRowsOfAHeldStoreComeLater() async throws {
        store.fail([.held])
        let stage = Stage(RefreshableList("names").rows([ListRow("jarl")]), store: store)
        #expect(try await stage.list.rows == [])
        store.fail([])
        await stage.advance(by: .milliseconds(100))
        #expect(try await stage.list.rows == [ListRow("jarl")])
    }

    @Test func aClientThatIsAheadWaitsForItsNewEpoch() async throws {
        let first = try await stage()
        let epoch = try await first.list.revision.epoch
        store.growOld()
        let stage = Stage(RefreshableList("names").acceptsPushes(), store: store)
        store.fail([.held])
        await stage.watch(resuming: .init(epoch: epoch.description, revision: 9))
        #expect(await stage.contents().deliveries.isEmpty)
        #expect(await stage.list.read().status == 200)

        store.fail([])
        await stage.advance(by: .milliseconds(100))
        #expect(await stage.contents().deliveries.count == 1)
        #expect(try await stage.list.revision.epoch != epoch)
    }

    @Test func aClientThatIsAheadHasAllOthersSentTheRowsInTheNewEpoch() async throws {
        let old = try await stage().list.revision
        store.growOld()
        let stage = Stage(RefreshableList("names").acceptsPushes(), store: store)
        await stage.watch()

        await stage.watch(resuming: .init(epoch: old.epoch.description, revision: old.revision + 5))

        let contents = await stage.contents()
        let batch = try #require(contents.ring.batch(from: old.revision))
        let frame = try ServerMessage(decoding: Array(try #require(batch.frames.first).text.utf8))
        guard case .snapshot(let snapshot) = frame else {
            Issue.record("It is no snapshot: \(frame)")
            return
        }
        let new = try await stage.list.revision
        #expect(new.epoch != old.epoch && new.revision > old.revision)
        #expect(snapshot.epoch == new.epoch && snapshot.revision == new.revision)
        #expect(snapshot.rows.map(\.key) == ["a"])
        #expect(contents.deliveries.map(\.attachedRevision) == [old.revision, new.revision])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func whateverIsHeldWhenEveryPushIsDoneOnceAndInOrder(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let stage = Stage(
            RefreshableList("names").rows([ListRow("a")]).acceptsPushes().onRefresh { $0() }, store: store)
        #expect(try await stage.list.rows.count == 1)
        var pushes: [Pushed] = []
        for step in 0..<100 {
            if random.next() % 3 == 0 { store.fail(random.next() % 2 == 0 ? [.held] : []) }
            if random.next() % 4 == 0 { await stage.advance(by: .milliseconds(Int(random.next() % 40))) }
            if random.next() % 10 == 0 { _ = await stage.list.begin() }
            pushes.append(stage.list.push(Key("k\(step)")))
        }
        store.fail([])
        await stage.advance(by: .seconds(1))

        #expect(pushes.allSatisfy { $0.response?.status == 201 }, "seed \(seed)")
        let pushed = await stage.titles.filter { $0.hasPrefix("k") }
        #expect(pushed == (0..<100).reversed().map { "k\($0)" }, "seed \(seed)")
        let kept = try store.kept("names").list.rows.map(\.key.string)
        #expect(await stage.titles == kept, "seed \(seed)")
    }
}

/// What others know of a list is known while it is at work.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1)))
struct BusyListTests {
    @Test func aListThatIsAtWorkIsWaitedForByNobody() async throws {
        let server = try await RunningServer(
            lists: ["busy", "idle"].map { RefreshableList($0).rows([ListRow("a"), ListRow("b")]).acceptsPushes() })
        let busy = try #require(server.server["busy"])
        let idle = try #require(server.server["idle"])
        #expect(try await busy.rows.count == 2)
        let gate = DispatchSemaphore(value: 0)
        busy.post { _ in gate.wait() }

        try await idle.insert(ListRow("c"))
        #expect(try await idle.rows.count == 3)
        #expect(busy.statistics.contents?.count == 2)
        #expect(String(decoding: busy.summary(mayRefresh: true), as: UTF8.self).contains("\"count\":2"))
        let conversation = try await server.connect()
        #expect(try await conversation.watch("idle").revision == 2)

        gate.signal()
        await conversation.end()
        try await server.stop()
    }
}

/// A push that is under way.
private final class Pushed: Sendable {
    private let answer = Locked<HTTPResponse?>(nil)

    var response: HTTPResponse? { answer.withLock(\.self) }
    func answer(_ response: HTTPResponse) { answer.withLock { $0 = response } }
}

extension LiveList {
    /// Puts a row on top, as a program does.
    fileprivate nonisolated func push(_ key: Key) -> Pushed {
        let pushed = Pushed()
        let body = Array(#"{"fields":{},"place":"first"}"#.utf8)
        post { list in
            guard let push = try? Push(.put(key), HTTPRequest(path: "", body: body)) else { return }
            list.answer(push, HTTPExchange { pushed.answer($0) })
        }
        return pushed
    }

    fileprivate func read() async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            answerRows(HTTPRequest(path: ""), HTTPExchange { continuation.resume(returning: $0) })
        }
    }

    fileprivate func stopRun() {
        guard let run = gate.current?.run else { return }
        perform(gate.withdraw(.program, from: run, now: now))
    }
}

extension Delivery {
    fileprivate var attachedRevision: Revision? {
        if case .attached(let start) = self { start.revision } else { nil }
    }
}
