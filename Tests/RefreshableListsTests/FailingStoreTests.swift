import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// A store fails: its lists are served as they are kept, what can't be kept fails and says so, and once the store works
/// again so does the list.
struct FailingStoreTests {
    private let store = FailingStore()
    private let count = Locked(0)

    /// A list whose rows grow by one with each refresh, watched, and refreshed once.
    private func stage() async -> Stage {
        let stage = Stage(
            RefreshableList("names").refreshable { [count] in
                let last = count.withLock { count in
                    count += 1
                    return count
                }
                return (1...last).map { ListRow("k\($0)") }
            }, store: store)
        await stage.watch()
        await stage.refresh()
        return stage
    }

    private func keptTitles() throws -> [String] { try store.kept("names").list.rows.map(\.key.string) }

    private func failure(_ run: FinishedRun?) -> RefreshFailure? {
        if case .failure(let failure) = run?.outcome { failure } else { nil }
    }

    @Test func runWhoseNumberCannotBeKeptFailsBeforeItsHandlerBegins() async throws {
        let stage = await stage()
        let titles = await stage.titles
        store.fail([.note])

        let run = await stage.refresh()

        #expect(failure(run)?.message == "The rows could not be kept: the server's disk is full.")
        #expect(failure(run)?.code == "unavailable")
        #expect(count.withLock { $0 } == titles.count)
        #expect(await stage.titles == titles)
    }

    @Test func rowsThatCouldNotBeKeptAreSeenByNobody() async throws {
        let stage = await stage()
        let revision = await stage.contents().ring.revision
        store.fail([.commit])

        let run = await stage.refresh()

        #expect(failure(run)?.message == "The rows could not be kept: the server's disk is full.")
        let kept = try keptTitles()
        #expect(await stage.titles == kept)
        #expect(await stage.contents().ring.revision == revision)
    }

    @Test func whatCouldNotBeKeptIsMarkedStaleAndARefreshThatWorksEndsThat() async throws {
        let stage = await stage()
        let before = await stage.titles.count
        store.fail([.note, .commit])
        await stage.refresh()
        #expect(await stage.facts?.staleSince != nil)
        #expect(try store.kept("names").facts.staleSince == nil)

        store.fail([])
        let run = await stage.refresh()

        #expect(run?.outcome == .success)
        #expect(await stage.titles.count == before + 1)
        #expect(await stage.facts?.staleSince == nil)
        let facts = try store.kept("names").facts
        #expect(await stage.facts == facts)
    }

    @Test func rowsThatCannotBeReadAgainAreShownToNobodyUntilTheyCan() async throws {
        let stage = await stage()
        let kept = try store.kept("names").list
        store.fail([.commit, .load])
        await stage.refresh()

        await stage.watch()
        #expect(await stage.contents().deliveries.last?.isFailure == true)
        // The run's end is told all the same.
        #expect(await stage.contents().states.newest?.revision == kept.revision)
        #expect(await stage.list.phase != .loading)

        store.fail([])
        await stage.watch()
        #expect(await stage.contents().deliveries.last?.attachedRevision == kept.revision)
        #expect(await stage.titles == kept.rows.map(\.key.string))
    }

    @Test func commitThatWasKeptAlthoughItFailedIsTold() async throws {
        let stage = await stage()
        let revision = try store.kept("names").list.revision
        store.fail([.commitOnceKept])

        await stage.refresh()

        #expect(try store.kept("names").list.revision == revision + 1)
        #expect(await stage.contents().ring.revision == revision + 1)
        let kept = try keptTitles()
        #expect(await stage.titles == kept)
    }

    @Test func editThatCannotBeKeptIsUndoneAndSaysSo() async throws {
        let stage = await stage()
        store.fail([.commit])

        await #expect(throws: EditError.self) { try await stage.list.insert(ListRow("new"), .first) }
        let kept = try keptTitles()
        #expect(await stage.titles == kept)

        store.fail([])
        try await stage.list.insert(ListRow("new"), .first)
        #expect(await stage.titles.first == "new")
    }

    @Test(.onThreadOfItsOwn, arguments: 1...20 as ClosedRange<UInt64>)
    func memoryAndStoreAgreeWhateverFails(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var list = try PersistentList("names", from: store)
        for step in 0..<200 {
            store.fail(Set([.load, .note, .commit, .commitOnceKept].filter { _ in random.next() % 4 == 0 }))
            let row = ListRow("k\(random.next() % 7)", title: "\(step)")
            do {
                _ = try list.settle()
                var facts = list.facts
                facts.runs = step
                try list.note(facts)
                _ = try list.commit(at: Moment(uptime: 0, date: 0)) { $0.commit([.set(row, .first)], at: 0) }
            } catch is ListStoreError {
                let kept = try store.kept("names").list.revision
                #expect(list.revision <= kept, "seed \(seed), step \(step)")
            }
            guard !list.isInDoubt else { continue }
            let kept = try store.kept("names")
            #expect(Array(list.rows.rows) == Array(kept.list.rows), "seed \(seed), step \(step)")
            #expect(list.rows.revision == kept.list.revision, "seed \(seed), step \(step)")
        }
    }
}

extension Stage {
    fileprivate var facts: StoredFacts? {
        get async { await list.facts() }
    }
}

extension LiveList {
    fileprivate func facts() -> StoredFacts? { kept?.facts }
}

extension Delivery {
    fileprivate var isFailure: Bool {
        if case .failed = self { true } else { false }
    }

    fileprivate var attachedRevision: Revision? {
        if case .attached(let start) = self { start.revision } else { nil }
    }
}
