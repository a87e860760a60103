import KeyedLists
import ListProtocol
import ListStorage
import Testing
import WebSockets

@testable import RefreshableLists

/// How often rows are encoded for those who join: that is the server's work, however many they are.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1)))
struct SnapshotCacheTests {
    @Test func aThousandWhoJoinAtOneRevisionCostOneEncoding() throws {
        var counted = CountingCache(try .filled(10_000))
        for _ in 0..<1000 { counted.join() }
        #expect(counted.snapshots == 1 && counted.patches == 0)
        #expect(counted.distinctFrames == 1)
    }

    @Test func aThousandWhoJoinAfterAFewChangesCostOneEncodingOfThose() throws {
        var counted = CountingCache(try .filled(1000))
        counted.join()
        try counted.kept.change(10)
        for _ in 0..<1000 { counted.join() }
        #expect(counted.snapshots == 1 && counted.patches == 1)
        #expect(counted.distinctFrames == 2)
    }

    @Test func aSnapshotIsEncodedAnewWhenAQuarterHasChanged() throws {
        var counted = CountingCache(try .filled(1000))
        counted.join()
        try counted.kept.change(250)
        for _ in 0..<1000 { counted.join() }
        #expect(counted.snapshots == 2 && counted.patches == 0)
    }

    @Test func aSnapshotIsEncodedAnewWhenFewRowsHaveGrownToAQuarterOfIt() throws {
        var counted = CountingCache(try .filled(100))
        counted.join()
        try counted.kept.change(1, to: String(repeating: "long", count: 1000))
        for _ in 0..<10 { counted.join() }
        #expect(counted.snapshots == 2)
    }

    @Test func whoStillReadsAnOlderOneThanTheFourthIsTooSlow() throws {
        var counted = CountingCache(try .filled(400))
        var readers: [FrameBatch] = []
        for number in 0..<5 {
            try counted.kept.change(400, to: String(repeating: "\(number)", count: 10_000))
            readers.append(counted.join())
        }
        #expect(readers.map(\.isRevoked) == [true, false, false, false, false])
    }

    @Test func whoJoinsSlowlyAtEachOfManyRevisionsHoldsNoMoreThanAFewSnapshots() throws {
        var kept = try PersistentList.filled(2000)
        var cache = SnapshotCache(of: MemoryShare(1 << 30))
        var readers: [FrameBatch] = []
        for _ in 0..<300 {
            try kept.change(20)
            readers.append(cache.join(kept))
        }
        var own: [ObjectIdentifier: Int] = [:]
        for frame in readers.filter({ !$0.isRevoked }).flatMap(\.frames) {
            own[ObjectIdentifier(frame)] = frame.payloadLength
        }
        let snapshot = readers[0].byteCount
        #expect(own.values.reduce(0, +) < 12 * snapshot + (2 << 20), "one snapshot is \(snapshot)")
    }

    @Test func aThousandWhoJoinEachOfManyListsAreSentTheSameFrames() async throws {
        let rows = (0..<200).map { ListRow("row-\($0)", title: "Title \($0)") }
        for number in 0..<20 {
            let stage = Stage(RefreshableList("list-\(number)").rows(rows))
            let frames = try await stage.frames(ofWatchers: 1000)
            #expect(frames.count == 1000 && Set(frames).count == 1)
        }
    }

    @Test func aThousandWhoComeBackFromOneRevisionAreSentTheSameFrames() async throws {
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("apple")]).refreshable { [ListRow("apple"), ListRow("fig")] })
        await stage.watch()
        await stage.refresh()
        let epoch = try #require(await stage.list.kept).epoch.description
        let frames = try await stage.frames(
            ofWatchers: 1000, resuming: ClientMessage.Resume(epoch: epoch, revision: 1))
        #expect(frames.count == 1000 && Set(frames).count == 1)
    }
}

/// A shelf that counts what it has encoded.
private struct CountingCache {
    var kept: PersistentList
    private var cache = SnapshotCache(of: MemoryShare(1 << 30))
    private var joined: [FrameBatch] = []
    private(set) var snapshots = 0
    private(set) var patches = 0

    init(_ kept: PersistentList) { self.kept = kept }

    var distinctFrames: Int { Set(joined.flatMap(\.frames).map { ObjectIdentifier($0) }).count }

    @discardableResult
    mutating func join() -> FrameBatch {
        var (snapshots, patches) = (snapshots, patches)
        let epoch = kept.epoch
        let rows = kept.rows
        let batch = cache.batch(for: kept) { patch in
            patches += 1
            return Frames.patch(patch, list: "rows", epoch: epoch, run: nil, limit: .max)
        } encodeAll: {
            snapshots += 1
            return Frames.snapshot(list: "rows", epoch: epoch, revision: rows.revision, rows: rows.rows, limit: .max)
        }
        (self.snapshots, self.patches) = (snapshots, patches)
        joined.append(batch)
        return batch
    }
}

extension SnapshotCache {
    fileprivate mutating func join(_ kept: PersistentList) -> FrameBatch {
        batch(for: kept) {
            Frames.patch($0, list: "rows", epoch: kept.epoch, run: nil, limit: .max)
        } encodeAll: {
            Frames.snapshot(
                list: "rows", epoch: kept.epoch, revision: kept.rows.revision, rows: kept.rows.rows, limit: .max)
        }
    }
}

extension PersistentList {
    /// A list of so many rows.
    fileprivate static func filled(_ count: Int) throws -> PersistentList {
        var kept = try PersistentList("rows", from: MemoryStore())
        try kept.edit((0..<count).map { .set(ListRow("row-\($0)", title: "Title of row \($0)"), .last) })
        return kept
    }

    /// Gives the first rows other titles.
    fileprivate mutating func change(_ count: Int, to title: String? = nil) throws {
        let title = title ?? "Changed at \(rows.revision)"
        try edit(rows.rows.prefix(count).map { .set(ListRow($0.key.string, title: title), .kept) })
    }

    private mutating func edit(_ edits: [Edit]) throws {
        _ = try commit(at: Moment(uptime: 0, date: 0)) { $0.commit(edits, at: 0) }
    }
}

extension Stage {
    /// The first rows that each of so many watchers is sent: which frames they are.
    fileprivate func frames(
        ofWatchers count: Int, resuming resume: ClientMessage.Resume? = nil
    ) async throws -> [[ObjectIdentifier]] {
        for _ in 0..<count { await watch(resuming: resume) }
        return await contents().deliveries.suffix(count).compactMap { delivery in
            guard case .attached(let start) = delivery else { return nil }
            return start.rows?.frames.map { ObjectIdentifier($0) }
        }
    }
}
