import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableLists

struct ListBroadcasterTests {
    private let feed = LoopFeed { _ in }
    private var broadcaster = ListBroadcaster(list: "a", frameLimit: 1000, share: MemoryShare(1 << 30))

    @Test mutating func aRunIsSaidToBeginAfterTheRowsFromBeforeIt() {
        broadcaster.join(feed, at: 5)
        publish(.loading, RunID(1), at: 5)
        publish(.loading, RunID(1), at: 7)
        #expect(feed.take().states.loading?.revision == 5)

        publish(.closing, nil, at: 8)
        publish(.loading, RunID(2), at: 8)
        #expect(feed.take().states.loading?.revision == 8)
    }

    private mutating func publish(_ phase: Phase, _ run: RunID?, at revision: Revision) {
        let state = ListState(list: "a", phase: phase, run: run?.description)
        broadcaster.publish(state, run: run, told: .init(state, refresh: run), revision: revision)
    }
}
