import Dispatch
import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// While a long list is being read, whoever looks at its first rows sees them.
struct HeadStartTests {
    /// Gives out the first ten rows at once, and all hundred when it is let.
    private let store = FailingStore(.failed(path: "/data", reason: "a disk fails"))
    private let gate = DispatchSemaphore(value: 0)
    private let stage: Stage
    private let feed = LoopFeed { _ in }
    private let watch = WatchID(socket: 1, serial: 1)

    init() throws {
        var stored = try store.load("log")
        let rows = (0..<100).map { ListRow("\($0)", title: "Row \($0)") }
        let commit = try #require(try stored.list.replace(with: rows, at: 1))
        try store.commit(commit, facts: StoredFacts(runs: 1, updatedAt: 1), to: "log")
        store.growOld()
        store.giveOutHeads(of: 10)
        store.whenLoading { [gate] in gate.wait() }
        stage = Stage(RefreshableList("log"), store: store)
    }

    private func attach(_ view: Window, resuming resume: ClientMessage.Resume? = nil, _ serial: Int = 1) async {
        let watch = WatchID(socket: 1, serial: serial)
        await stage.list.attach(watch, messageID: "w", resume: resume, view: ListView(view), to: feed)
    }

    private func look(_ view: Window) async {
        await stage.list.look(
            at: ListView(view), watch, look: 1, messageID: "l", held: nil, isWhole: false, on: feed)
    }

    /// Waits until all was read: whoever asks for a digest waits for that.
    private func settle() async { await stage.list.digest("d", for: 1, watch, to: feed) }

    private func starts() -> [WatchStart] {
        feed.take().deliveries.compactMap { if case .attached(let start) = $0 { start } else { nil } }
    }

    @Test func whoLooksAtTheFirstRowsSeesThemBeforeAllAreRead() async throws {
        await attach(.first(0, count: 3))

        let first = try #require(starts().first)
        #expect(try first.window == WindowPlace(first: 0, total: 100, isSearching: true))
        #expect(try first.keys == ["0", "1", "2"])
        #expect(await stage.list.kept == nil)

        gate.signal()
        await settle()

        let rest = try #require(starts().first)
        #expect(try rest.place == WindowPlace(first: 0, total: 100))
        #expect(try rest.keys == ["0", "1", "2"] && rest.ok == nil)
        #expect(await stage.list.watcherCount == 1)
    }

    @Test func whatFollowsIsToldByTheWindowThatTheyWereMovedTo() async throws {
        await attach(.first(0, count: 3))
        gate.signal()
        await settle()
        let window = try #require(starts().last?.feed)
        _ = window.take()

        try await stage.list.insert(ListRow("new", title: "New"))

        #expect(window.take().ring.revision == 2)
    }

    @Test func whoLooksElsewhereAmongTheFirstRowsSeesThemToo() async throws {
        await attach(.first(0, count: 3))
        await look(.around("5", before: 1, after: 1))
        let second = try #require(starts().last)
        #expect(try second.keys == ["4", "5", "6"] && second.look == 1)
        #expect(await stage.list.kept == nil)

        gate.signal()
        await settle()
        #expect(try starts().map { try $0.place.first } == [4])
    }

    @Test(arguments: [
        Window.first(0, count: 11), .first(9, count: 2), .last(3), .around("9", before: 1, after: 1),
        .around("50", before: 1, after: 1),
    ])
    func whoLooksAtOtherRowsWaitsForAll(view: Window) async throws {
        gate.signal()
        await attach(view)
        let start = try #require(starts().first)
        #expect(try start.window?.isSearching == false)
        #expect(await stage.list.kept != nil)
    }

    @Test func whoLooksAtOtherRowsAfterTheFirstWaitsForAll() async throws {
        await attach(.first(0, count: 3))
        gate.signal()
        await look(.last(2))
        #expect(try starts().map { try $0.keys } == [["0", "1", "2"], ["0", "1", "2"], ["98", "99"]])
    }

    @Test func whoHasSeenMoreThanWasKeptWaitsForANewEpoch() async throws {
        let epoch = try #require(try store.head(of: "log")).epoch
        gate.signal()
        // The new epoch is read, too.
        gate.signal()
        await attach(.first(0, count: 3), resuming: .init(epoch: epoch.description, revision: 2))
        #expect(await stage.list.kept?.epoch != epoch)
    }

    @Test func whatTheyHaveAlreadyIsNotSentAgain() async throws {
        let epoch = try #require(try store.head(of: "log")).epoch
        await attach(.first(0, count: 3), resuming: .init(epoch: epoch.description, revision: 1))
        #expect(try #require(starts().first).text.contains("Row") == false)
        gate.signal()
        await settle()
    }

    @Test func whoLeavesMeanwhileIsCountedNoMore() async throws {
        await attach(.first(0, count: 3))
        await stage.list.detach(watch, from: feed)
        _ = starts()
        gate.signal()
        await settle()
        #expect(starts().isEmpty)
        #expect(await stage.list.watcherCount == 0)
    }

    @Test func whereTheListCannotBeReadAfterAllTheWatchIsOver() async throws {
        await attach(.first(0, count: 3))
        store.fail([.load])
        gate.signal()
        // Whoever asks after that has it read again.
        gate.signal()
        await settle()
        let isOver = feed.take().deliveries.contains {
            if case .unwatched(watch, .unavailable, _) = $0 { true } else { false }
        }
        #expect(isOver)
        await stage.list.detach(watch, from: feed)

        store.fail([])
        gate.signal()
        await attach(.last(1))
        #expect(await stage.list.watcherCount == 1)
    }

    @Test func whereAnotherProgramHasWrittenMeanwhileTheyAreShownTheNewHistory() async throws {
        await attach(.first(0, count: 3))
        _ = starts()
        let epoch = try store.renewEpoch(of: "log")
        gate.signal()
        await settle()
        let rest = try #require(starts().first)
        #expect(rest.text.contains(#""epoch":"\#(epoch)""#) && rest.revision == 2)
    }

    @Test func theDirectoryKnowsALongListBeforeAllIsRead() async throws {
        stage.list.post { $0.readHead() }
        await stage.list.settle()
        #expect(stage.list.statistics.contents?.count == 100 && !stage.list.statistics.isWhole)
        gate.signal()
        await settle()
        #expect(stage.list.statistics.isWhole)
        #expect(await stage.list.watcherCount == 0)
    }

    @Test(arguments: [true, false])
    func whoSendsPeopleHereIsToldOnceAllWasRead(isSound: Bool) async throws {
        let told = Locked<Bool?>(nil)
        stage.list.post { $0.whenRead { isRead in told.withLock { $0 = isRead } } }
        await stage.list.settle()
        #expect(told.withLock(\.self) == nil)
        await attach(.first(0, count: 3))
        #expect(starts().count == 1)
        if !isSound { store.fail([.load]) }
        gate.signal()
        gate.signal()
        await settle()
        #expect(told.withLock(\.self) == isSound)
    }

    @Test func whatTheListDoesIsToldAtOnce() async throws {
        await attach(.first(0, count: 3))
        #expect(starts().first?.feed?.take().states.newest != nil)
        gate.signal()
        await settle()
    }
}

extension WatchStart {
    /// The frames of its rows.
    fileprivate var text: String { rows?.frames.map(\.text).joined() ?? "" }

    fileprivate var snapshot: SnapshotPart {
        get throws {
            guard case .snapshot(let part) = try ServerMessage(decoding: Array(text.utf8)) else {
                throw CancellationError()
            }
            return part
        }
    }

    fileprivate var keys: [String] { get throws { try snapshot.rows.map(\.key.string) } }
    fileprivate var place: WindowPlace { get throws { try #require(try snapshot.window) } }

    /// Where its window lies, as the answer says.
    fileprivate var window: WindowPlace? {
        get throws {
            guard let ok, case .ok(let message) = try ServerMessage(decoding: ok) else { return nil }
            return message.window
        }
    }
}
