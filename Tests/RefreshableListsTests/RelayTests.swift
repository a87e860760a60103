import Testing
import WebSockets

@testable import RefreshableLists

/// What a list has for a loop wakes it once, and is held by reference.
struct RelayTests {
    @Test func howeverMuchIsPublishedTheLoopIsWokenOnceUntilItLooks() {
        let wakes = Locked(0)
        let relay = Relay { _ in wakes.withLock { $0 += 1 } }
        for revision in 1...100 { relay.publish(batch(revision)) }
        #expect(wakes.withLock { $0 } == 1)

        #expect(relay.take().ring.revision == 100)
        relay.publish(batch(101))
        #expect(wakes.withLock { $0 } == 2)
    }

    @Test func eachLoopIsHandedTheSameFrame() {
        let relays = [Relay { _ in }, Relay { _ in }]
        let batch = batch(1)
        for relay in relays { relay.publish(batch) }
        for relay in relays { #expect(relay.take().ring.batch(from: 0)?.frames.first === batch.frames[0]) }
    }

    private func batch(_ revision: Int) -> FrameBatch {
        FrameBatch(from: revision - 1, revision: revision, frames: [SharedFrame(text: [0x61])])
    }
}
