import Foundation
import KeyedLists
import ListProtocol
import ListStorage
import RefreshableListsTesting
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// A change of many rows is made and kept elsewhere, while its list goes on answering, and is seen all at once.
@Suite(.timeLimit(.minutes(1)))
struct LargeChangeTests {
    private let store = FailingStore()
    private let gate = DispatchSemaphore(value: 0)
    private let old = (0..<50).map { ListRow("k\($0)") }

    /// A list of fifty rows that are refreshed with others; its heavy changes stop before they are kept.
    private func stage() async throws -> Stage {
        let stage = Stage(
            RefreshableList("names").acceptsPushes().refreshable { (20..<80).map { ListRow("k\($0)", title: "new") } },
            store: store)
        try await stage.list.replace(with: old)
        await stage.list.setHeavyCount(10)
        store.whenStaging { [gate] in gate.wait() }
        return stage
    }

    private func isMadeElsewhere(_ stage: Stage) async {
        while await !stage.list.isHeld { await Task.yield() }
    }

    private func runEnds(_ stage: Stage) async {
        while await stage.list.gate.current != nil { await Task.yield() }
    }

    @Test func theListAnswersFromWhatIsThereUntilAllIsKept() async throws {
        let stage = try await stage()
        _ = await stage.list.begin()
        await isMadeElsewhere(stage)

        await stage.watch()
        #expect(await stage.contents().deliveries.last?.attachedRevision == 1)
        #expect(try await stage.list.rows == old)
        #expect(await stage.list.gate.current != nil)
        #expect(try store.kept("names").list.revision == 1)

        gate.signal()
        await runEnds(stage)
        #expect(stage.tested.outcomes.map(\.outcome) == [.success])
        #expect(stage.tested.outcomes.first?.changes.inserted == 30)
        #expect(await stage.titles == (20..<80).map { "k\($0)" })
        #expect(await stage.contents().ring.revision == 2)
        let rows = try await stage.list.rows
        #expect(try store.kept("names").list.rows.map(\.row) == rows)
    }

    @Test func whatIsPushedMeanwhileComesAfterIt() async throws {
        let stage = try await stage()
        _ = await stage.list.begin()
        await isMadeElsewhere(stage)
        async let edit = stage.list.insert(ListRow("pushed"))
        // Longer than a change waits for the store.
        stage.clock.advance(by: .seconds(20))
        #expect(await stage.titles == old.map(\.key.string))

        gate.signal()
        let revision = try await edit
        #expect(revision.revision == 3)
        #expect(await stage.titles == ["pushed"] + (20..<80).map { "k\($0)" })
        #expect(try store.kept("names").list.revision == 3)
    }

    @Test func oneThatIsCancelledBeforeItIsKeptIsNotSeen() async throws {
        let stage = try await stage()
        _ = await stage.list.begin()
        await isMadeElsewhere(stage)
        await stage.list.stopRun()
        gate.signal()
        await runEnds(stage)

        #expect(stage.tested.outcomes.map(\.outcome) == [.cancelled])
        #expect(try await stage.list.rows == old)
        #expect(try store.kept("names").list.revision == 1)
        // The list is as it was, and takes changes.
        try await stage.list.insert(ListRow("later"))
        #expect(try store.kept("names").list.revision == 2)
    }

    @Test func oneThatCannotBeKeptFails() async throws {
        let stage = try await stage()
        _ = await stage.list.begin()
        await isMadeElsewhere(stage)
        store.fail([.commit])
        gate.signal()
        await runEnds(stage)
        #expect(stage.tested.outcomes.last?.outcome.name == "failure")
        #expect(try await stage.list.rows == old)

        store.fail([])
        gate.signal()
        _ = await stage.list.begin()
        await runEnds(stage)
        #expect(stage.tested.outcomes.last?.outcome == .success)
    }

    @Test func oneThatWasKeptAlthoughTheStoreFailedIsSeen() async throws {
        let stage = try await stage()
        store.fail([.commitOnceKept])
        gate.signal()
        _ = await stage.list.begin()
        await runEnds(stage)
        #expect(await stage.titles == (20..<80).map { "k\($0)" })
        #expect(try store.kept("names").list.revision == 2)
    }

    @Test func whileTheStoreIsHeldItWaitsForItsTurn() async throws {
        let stage = try await stage()
        _ = await stage.list.begin()
        await isMadeElsewhere(stage)
        store.fail([.held])
        gate.signal()
        while await !stage.list.isWaiting { await Task.yield() }
        #expect(try await stage.list.rows == old)
        store.fail([])
        await stage.advance(by: .milliseconds(100))
        await runEnds(stage)
        #expect(stage.tested.outcomes.map(\.outcome) == [.success])
    }

    @Test func anEndLeavesNobodyWaiting() async throws {
        let stage = try await stage()
        let edit = Task { try await stage.list.replace(with: (0..<90).map { ListRow("x\($0)") }) }
        while await !stage.list.isHeld { await Task.yield() }
        let pushed = Task { try await stage.list.insert(ListRow("pushed")) }
        while await stage.list.isQueueEmpty { await Task.yield() }
        await stage.list.end()
        await #expect(throws: EditError.ended()) { try await pushed.value }
        gate.signal()
        await #expect(throws: EditError.ended()) { try await edit.value }
        #expect(try store.kept("names").list.revision == 1)
    }
}

extension LiveList {
    fileprivate func setHeavyCount(_ count: Int) { heavyCount = count }
    fileprivate var isHeld: Bool { queue.isHeld }
    fileprivate var isQueueEmpty: Bool { queue.isEmpty }
    fileprivate var isWaiting: Bool { !queue.isHeld && !queue.isEmpty }

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
