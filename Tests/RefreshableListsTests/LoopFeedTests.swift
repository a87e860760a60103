import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// What a list has for a loop wakes it once, and is held by reference.
struct LoopFeedTests {
    @Test func howeverMuchIsPublishedTheLoopIsWokenOnceUntilItLooks() {
        let wakes = Locked(0)
        let feed = LoopFeed { _ in wakes.withLock { $0 += 1 } }
        for revision in 1...100 { feed.publish(batch(revision)) }
        #expect(wakes.withLock { $0 } == 1)

        #expect(feed.take().ring.revision == 100)
        feed.publish(batch(101))
        #expect(wakes.withLock { $0 } == 2)
    }

    @Test func eachLoopIsHandedTheSameFrame() {
        let feeds = [LoopFeed { _ in }, LoopFeed { _ in }]
        let batch = batch(1)
        for feed in feeds { feed.publish(batch) }
        for feed in feeds { #expect(feed.take().ring.batch(from: 0)?.frames.first === batch.frames[0]) }
    }

    private func batch(_ revision: Int) -> FrameBatch {
        FrameBatch(from: revision - 1, revision: revision, frames: [SharedFrame(text: [0x61])])
    }
}
