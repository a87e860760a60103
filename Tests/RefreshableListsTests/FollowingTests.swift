import KeyedLists
import ListProtocol
import ListSources
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// A source that notices changes by itself.
@Suite(.timeLimit(.minutes(1)))
struct FollowingTests {
    private let source = ManualChangingSource()

    @Test func changeRefreshesAListThatIsWatched() async {
        let stage = Stage(RefreshableList("wind").source(source))
        await stage.watch()
        await stage.runEnds()

        source.turn()
        await stage.runBegins("r2")
        await stage.runEnds()

        #expect(await stage.list.last?.run == "r2")
        #expect(await stage.list.last?.outcome == .success)
    }

    @Test func changeWhileNobodyWatchesIsReadWhenSomebodyComes() async {
        let stage = Stage(RefreshableList("wind").source(source))
        await stage.watch()
        await stage.runEnds()
        await stage.leave()

        source.turn()
        await stage.hasChanged()
        #expect(await stage.list.last?.run == "r1")
        await stage.watch()
        await stage.runEnds()

        #expect(await stage.list.last?.run == "r2")
        #expect(await !stage.list.hasChanged)
    }

    @Test func sourceIsFollowedOnlyOnceSomebodyWatches() async {
        let stage = Stage(RefreshableList("wind").source(source))
        await stage.refresh()
        #expect(source.followers == 0)
        await stage.watch()
        await stage.watch()
        #expect(source.followers == 1)
    }
}

/// Turns when it is told to.
private final class ManualChangingSource: ChangingSource {
    private let turns: Locked<[AsyncStream<Void>.Continuation]> = Locked([])

    var followers: Int { turns.withLock { $0.count } }

    func turn() { for turn in turns.withLock({ $0 }) { turn.yield() } }

    func rows(into run: any RowSink) async throws { run.yield([ListRow("north")]) }

    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        turns.withLock { $0.append(continuation) }
        return stream
    }
}

extension Stage {
    fileprivate func runBegins(_ run: String) async {
        while await list.gate.current?.run.description != run, await list.last?.run != run { await Task.yield() }
    }

    fileprivate func hasChanged() async {
        while await !list.hasChanged { await Task.yield() }
    }
}
