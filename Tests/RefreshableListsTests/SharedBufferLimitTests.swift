import KeyedLists
import ListProtocol
import ListStorage
import Testing
import WebSockets

@testable import RefreshableLists

/// What slow readers hold is bounded, however many they are and whatever the list does.
@Suite(.onThreadOfItsOwn) struct SharedBufferLimitTests {
    @Test func theOldestIsTakenBackForTheNewest() {
        var sharedBuffers = SharedBufferLimit(of: MemoryShare(1 << 30))
        let held = (0..<6).map { _ in sharedBuffers.lend(4 << 20) }
        #expect(held.map { $0?.isRevoked } == [true, true, false, false, false, false])
    }

    @Test func whatNobodyReadsAnyMoreDoesNotCount() {
        var sharedBuffers = SharedBufferLimit(of: MemoryShare(1 << 30))
        for _ in 0..<100 { _ = sharedBuffers.lend(4 << 20) }
        let held = (0..<4).map { _ in sharedBuffers.lend(4 << 20) }
        #expect(held.allSatisfy { $0?.isRevoked == false } && sharedBuffers.size == 16 << 20)
    }

    @Test func whatIsSmallIsNotCounted() {
        var sharedBuffers = SharedBufferLimit(of: MemoryShare(1 << 30))
        let (small, large) = (
            sharedBuffers.lend(SharedBufferLimit.small), sharedBuffers.lend(SharedBufferLimit.small + 1)
        )
        #expect(small == nil && large != nil)
    }

    /// A list of 0.85 MB that fifty-eight readers left at fifty-eight revisions.
    @Test func readersWhoComeBackFromAsManyRevisionsShareASnapshot() throws {
        var kept = try PersistentList("rows", from: MemoryStore())
        var broadcaster = ListBroadcaster(list: "rows", frameLimit: 65_536, share: MemoryShare(1 << 30))
        let text = String(repeating: "x", count: 800)
        func edit(_ rows: some Sequence<Int>, _ word: String) throws {
            let edits = rows.map { Edit.set(ListRow("row-\($0)", title: "\(word) \(text)"), .last) }
            _ = try kept.commit(at: Moment(uptime: 0, date: 0)) { $0.commit(edits, at: 0) }
        }
        try edit(0..<1000, "first")
        for number in 0..<58 { try edit(number * 17..<(number + 1) * 17, "changed") }

        let readers = (1...58).map {
            broadcaster.rows(since: Revision($0), of: kept, now: Moment(uptime: 0, date: 0))
        }
        var frames: [ObjectIdentifier: Int] = [:]
        for frame in readers.flatMap(\.frames) { frames[ObjectIdentifier(frame)] = frame.payloadLength }
        let snapshot = broadcaster.snapshot(of: kept).byteCount
        #expect(frames.values.reduce(0, +) < 3 * snapshot + (1 << 20), "one snapshot is \(snapshot)")
        #expect(readers[57].snapshot == nil, "a few rows are still a patch")
        #expect(readers[0].snapshot != nil, "nearly all rows are a snapshot")
    }

    @Test func liveChangesThatSlowReadersHoldAreTakenBack() throws {
        var kept = try PersistentList("rows", from: MemoryStore())
        var broadcaster = ListBroadcaster(list: "rows", frameLimit: 65_536, share: MemoryShare(1 << 30))
        let feed = LoopFeed { _ in }
        broadcaster.join(feed, at: 0)
        var held: [FrameBatch] = []
        for number in 0..<20 {
            let rows = (0..<1000).map { ListRow("row-\($0)", title: "\(number) \(String(repeating: "x", count: 800))") }
            let commit = try kept.commit(at: Moment(uptime: 0, date: 0)) { try $0.replace(with: rows, at: 0) }
            guard let commit else { continue }
            broadcaster.publish(commit, of: kept, by: nil)
            held += feed.take().ring.batch(from: commit.patch.from).map { [$0] } ?? []
        }
        let alive = held.filter { !$0.isRevoked }
        #expect(held.count == 20 && alive.count <= 6, "\(alive.count) of \(held.count) are held")
    }

    @Test func aListHasTimeForSoManyFoldsAndNoMore() throws {
        var cache = FoldCache(of: MemoryShare(1 << 30))
        let rows = (0..<5000).map {
            Patch.Change(key: Key("row-\($0)"), position: Position($0), fields: Fields(["title": "a title"]))
        }
        func patch(_ from: Int) -> Patch { Patch(from: Revision(from), revision: 100, set: rows, count: 100_000) }
        let moment = Moment(uptime: 0, date: 0)
        let admitted = (0..<20).filter { cache.admits(patch($0), ofRows: 100_000, now: moment) }
        #expect(admitted.count == 8)
        let isAdmittedLater = cache.admits(patch(50), ofRows: 100_000, now: Moment(uptime: 1000, date: 0))
        #expect(isAdmittedLater)
    }
}
