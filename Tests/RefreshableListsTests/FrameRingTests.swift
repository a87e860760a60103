import Testing
import WebSockets

@testable import RefreshableLists

struct FrameRingTests {
    @Test func findsThePatchThatBeginsWhereAWatcherIs() {
        var ring = FrameRing()
        for revision in 1...5 { ring.append(batch(revision)) }

        #expect(ring.batch(from: 3)?.revision == 4)
        #expect(ring.batch(from: 5) == nil)
        #expect(ring.revision == 5)
    }

    @Test func forgetsTheOldestBeyondAMebibyte() {
        var ring = FrameRing()
        for revision in 1...20 { ring.append(batch(revision, size: 100_000)) }

        #expect(ring.batch(from: 9) == nil)
        #expect(ring.batch(from: 10) != nil)
    }

    @Test func watcherFarBehindIsSentAFoldInstead() {
        var ring = FrameRing()
        for revision in 1...100 { ring.append(batch(revision)) }

        #expect(ring.batch(from: 100 - FrameRing.reach) != nil)
        #expect(ring.batch(from: 99 - FrameRing.reach) == nil)
    }

    @Test func keepsNoFrameThatNobodyWouldBeSent() {
        var ring = FrameRing()
        weak var oldest: SharedFrame?
        for revision in 1...FrameRing.reach {
            let batch = batch(revision)
            oldest = oldest ?? batch.frames[0]
            ring.append(batch)
        }
        #expect(oldest != nil)
        ring.append(batch(FrameRing.reach + 1))
        #expect(oldest == nil)
    }

    @Test func gapEmptiesItForNothingMayBeMissing() {
        var ring = FrameRing()
        ring.append(batch(1))
        ring.append(batch(5))

        #expect(ring.batch(from: 0) == nil)
        #expect(ring.batch(from: 4)?.revision == 5)
    }

    private func batch(_ revision: Int, size: Int = 10) -> FrameBatch {
        FrameBatch(
            from: revision - 1, revision: revision, frames: [SharedFrame(text: Array(repeating: 0x61, count: size))])
    }
}
