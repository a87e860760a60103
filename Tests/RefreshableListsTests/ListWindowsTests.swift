import KeyedLists
import ListProtocol
import ListSources
import ListStorage
import Testing
import WebSockets

@testable import RefreshableLists

/// Who looks at a part of a list: whom they share it with, and what they are told.
@Suite struct ListWindowsTests {
    private let loop = LoopFeed { _ in }
    private var kept: PersistentList
    private var broadcaster = ListBroadcaster(list: "log", frameLimit: 65_536, share: MemoryShare(1 << 30))
    private let ann = WatchID(socket: 1, serial: 1)
    private let bob = WatchID(socket: 2, serial: 1)

    init() throws {
        kept = try PersistentList("log", from: MemoryStore())
        try change((0..<100).map { .set(ListRow(Key("k\($0)"), title: "Row \($0)"), .last) })
    }

    @Test mutating func thoseWhoLookAtTheSameRowsAreToldByOneFeed() throws {
        let first = try look(ann, .first(10, count: 20))
        let second = try look(bob, .around("k19", before: 9, after: 10))
        #expect(first.feed === second.feed)
        #expect(try look(bob, .first(10, count: 21)).feed !== first.feed)
        #expect(broadcaster.count == 2)
    }

    @Test mutating func whoIsToldMeanwhileIsNotToldTheSameAsWhoWasNot() throws {
        let first = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("new"), .first)])
        let second = try look(bob, .first(11, count: 20))
        #expect(first.feed === second.feed, "the window has moved down")
        #expect(second.revision == 2 && second.place == WindowPlace(first: 11, total: 101))
    }

    @Test mutating func whatChangesNothingOfAWindowIsNotToldThere() throws {
        let begun = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("k50", title: "changed"), .kept)])
        #expect(begun.feed.take().ring.isEmpty)
        try change([.set(ListRow("k15", title: "changed"), .kept)])
        #expect(begun.feed.take().ring.batch(from: 1)?.revision == 3, "it follows what was told last")
        #expect(try look(bob, .first(10, count: 20)).revision == 3)
    }

    @Test mutating func whatComesAboveMovesNothingButWhereItLies() throws {
        let begun = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("new"), .first)])
        let patch = try part(begun.feed.take().ring.batch(from: 1))
        #expect(patch.set.isEmpty && patch.remove.isEmpty && patch.count == 20)
        #expect(patch.window == WindowPlace(first: 11, total: 101))
    }

    @Test mutating func whoLooksElsewhereIsSentTheRowsThatTheyLack() throws {
        let begun = try look(ann, .first(10, count: 20))
        let next = try look(ann, .first(20, count: 20), knowing: .window(at: begun.revision))
        let rows = try snapshot(next.rows).rows
        #expect(rows.map { $0.fields == nil } == Array(repeating: true, count: 10) + Array(repeating: false, count: 10))
        #expect(begun.feed.take().deliveries.contains { if case .over = $0 { true } else { false } })
    }

    @Test mutating func whoWasBehindIsSentAllRows() throws {
        let begun = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("k15", title: "changed"), .kept)])
        let next = try look(ann, .first(20, count: 20), knowing: .window(at: begun.revision))
        #expect(try snapshot(next.rows).rows.allSatisfy { $0.fields != nil })
    }

    @Test mutating func whoComesBackIsSentTheFieldsThatAreNewer() throws {
        try change([.set(ListRow("k15", title: "changed"), .kept)])
        let begun = try look(ann, .first(10, count: 20), knowing: .since(1))
        #expect(try snapshot(begun.rows).rows.filter { $0.fields != nil }.map(\.key) == ["k15"])
    }

    @Test mutating func aRowThatIsNotThereLeavesThemWhereTheyWere() throws {
        let begun = try look(ann, .first(10, count: 20))
        let gone = Window.around("gone", before: 1, after: 1)
        let refused = broadcaster.look(at: ListView(gone), ann, knowing: .nothing, of: kept, on: loop)
        #expect(refused == nil)
        try change([.set(ListRow("k15", title: "changed"), .kept)])
        #expect(!begun.feed.take().ring.isEmpty)
        #expect(try look(bob, .around("gone", before: 1, after: 1, orAt: 50)).place.first == 49)
    }

    @Test mutating func anotherHistoryIsSentWhole() throws {
        let begun = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("k50", title: "changed"), .kept)])
        broadcaster.publishAnew(kept, after: 2)
        let batch = begun.feed.take().ring.batch(from: 1)
        let rows = try snapshot(try #require(batch))
        #expect(rows.revision == 2 && rows.rows.count == 20)
    }

    @Test(arguments: [ListWindows.Known.window(at: 1), .since(1)])
    mutating func whatWasHeldBeforeAnotherHistoryCountsForNothing(known: ListWindows.Known) throws {
        _ = try look(ann, .first(10, count: 20))
        _ = try kept.commit(at: Moment(uptime: 0, date: 0)) { $0.commit([.remove("k50")], at: 0) }
        broadcaster.publishAnew(kept, after: 1)
        let next = try look(ann, .first(20, count: 20), knowing: known)
        #expect(try snapshot(next.rows).rows.allSatisfy { $0.fields != nil })
    }

    @Test mutating func whoLooksForRowsSeesTheFirstAndThenAllOfThem() throws {
        let (view, query) = try searched()
        let isWhole = broadcaster.search(query, of: kept, atMost: 100)
        #expect(!isWhole)
        broadcaster.views.showFirst(of: query)
        let first = try look(ann, view)
        #expect(first.place == WindowPlace(first: 0, total: 10, isSearching: true))
        #expect(try snapshot(first.rows).rows.map(\.key) == ["k0", "k1", "k2"])

        // Of the list they are told when all of it was looked at.
        try change([.remove("k1")])
        #expect(first.feed.take().ring.isEmpty)
        #expect(broadcaster.digest(for: ann, of: kept)?.window?.isSearching == true)
        _ = broadcaster.search(query, of: kept, atMost: 1000)
        let moved = broadcaster.finish(query, of: kept)
        #expect(moved.map(\.watch) == [ann] && moved[0].start.place == WindowPlace(first: 0, total: 99))
        #expect(try snapshot(moved[0].start.rows).rows.map(\.key) == ["k0", "k2", "k3"])
        #expect(first.feed.take().deliveries.contains { if case .over = $0 { true } else { false } })
        try change([.remove("k2")])
        #expect(try part(moved[0].start.feed.take().ring.batch(from: 2)).remove == ["k2"])
    }

    @Test mutating func whoWasShownTheRestMayNotKnowItYet() throws {
        let (view, query) = try searched()
        _ = broadcaster.search(query, of: kept, atMost: 2)
        broadcaster.views.showFirst(of: query)
        let first = try look(ann, view)
        _ = broadcaster.search(query, of: kept, atMost: 1000)
        _ = broadcaster.finish(query, of: kept)
        let next = try look(ann, view, knowing: .window(at: first.revision))
        #expect(try snapshot(next.rows).rows.allSatisfy { $0.fields != nil })
        let again = try look(ann, view, knowing: .window(at: first.revision))
        #expect(try snapshot(again.rows).rows.allSatisfy { $0.fields == nil })
    }

    @Test mutating func anotherHistoryBeginsASearchAnew() throws {
        let (view, query) = try searched()
        _ = broadcaster.search(query, of: kept, atMost: 100)
        broadcaster.views.showFirst(of: query)
        let first = try look(ann, view)
        try change([.remove("k1")])
        broadcaster.publishAnew(kept, after: 1)
        let none = try snapshot(try #require(first.feed.take().ring.batch(from: 1)))
        #expect(none.rows.isEmpty && none.window?.isSearching == true)
        _ = broadcaster.search(query, of: kept, atMost: 1000)
        let moved = broadcaster.finish(query, of: kept)
        #expect(moved.map(\.start.place) == [WindowPlace(first: 0, total: 99)])
    }

    @Test mutating func patchesOfOthersMoveWindowsToo() throws {
        let begun = try look(ann, .first(10, count: 3))
        let changed: [Key] = ["k0", "k11", "k12", "k50"]
        let former = kept.rows.positions(of: changed)
        let edits: [Edit] = [
            .remove("k0"), .remove("k11"), .move("k12", .last), .set(ListRow("k50", title: "x"), .before("k12")),
        ]
        _ = try kept.commit(at: Moment(uptime: 0, date: 0)) { $0.commit(edits, at: 0) }
        let patch = try #require(kept.rows.patch(since: 1))
        broadcaster.publish(patch, of: kept, from: former)
        let part = try part(begun.feed.take().ring.batch(from: 1))
        let view = kept.rows.rows(in: 9..<9 + (part.count ?? 0)).map(\.key)
        #expect(part.window?.first == 9)
        #expect(view.first == "k10" && part.remove.contains("k11"))
    }

    /// As a store has it that other servers use, too: the list is where the last of them has left it.
    @Test mutating func whatOneTransactionHasMadeIsFollowedAtOnce() throws {
        let begun = try look(ann, .first(10, count: 3))
        var commits: [Commit] = []
        for edits: [Edit] in [
            [.move("k11", .first), .move("k12", .last), .set(ListRow("new"), .last)],
            [.remove("k11"), .move("new", .after("k10"))],
        ] {
            let commit = try kept.commit(at: Moment(uptime: 0, date: 0)) { $0.commit(edits, at: 0) }
            commits.append(try #require(commit))
        }
        for commit in commits { broadcaster.publish(commit, of: kept, by: nil) }
        let ring = begun.feed.take().ring
        let part = try part(ring.batch(from: 1))
        #expect(part.revision == 3 && part.set.map(\.key) == ["new"] && part.remove.sorted() == ["k11", "k12"])
        #expect(part.window == WindowPlace(first: 10, total: 100) && part.count == 2)
    }

    /// States wait for the rows that were there before them, and windows are not told of all.
    @Test mutating func aStateWaitsForNoRowsThatAreNotTold() throws {
        let begun = try look(ann, .first(10, count: 20))
        try change([.set(ListRow("k50", title: "changed"), .kept)])
        let state = ListState(list: "log", phase: .waiting)
        broadcaster.publish(state, run: nil, told: .init(state, refresh: nil), revision: 2)
        #expect(begun.feed.take().states.newest?.revision == 1)
    }

    @Test mutating func whoLeavesIsNotToldAnyMore() throws {
        let begun = try look(ann, .first(10, count: 20))
        broadcaster.leave(ann, loop)
        #expect(broadcaster.count == 0 && !broadcaster.hasWindows)
        try change([.set(ListRow("k15", title: "changed"), .kept)])
        #expect(begun.feed.take().ring.isEmpty)
    }

    // MARK: What happens

    private mutating func look(
        _ watch: WatchID, _ window: Window, knowing known: ListWindows.Known = .nothing
    ) throws -> ListWindows.Start {
        try look(watch, ListView(window), knowing: known)
    }

    private mutating func look(
        _ watch: WatchID, _ view: ListView, knowing known: ListWindows.Known = .nothing
    ) throws -> ListWindows.Start {
        let begun = broadcaster.look(at: view, watch, knowing: known, of: kept, on: loop)
        return try #require(begun)
    }

    /// A view of what all rows have.
    private func searched() throws -> (ListView, RowQuery) {
        var view = ListView(.first(0, count: 3))
        view.query = try RowQuery(find: "row", filter: [], sort: [])
        return (view, view.query)
    }

    private mutating func change(_ edits: [Edit]) throws {
        let commit = try kept.commit(at: Moment(uptime: 0, date: 0)) { $0.commit(edits, at: 0) }
        if let commit { broadcaster.publish(commit, of: kept, by: nil) }
    }

    private func part(_ batch: FrameBatch?) throws -> PatchPart {
        guard case .patch(let part) = try message(batch) else { throw Unexpected() }
        return part
    }

    private func snapshot(_ batch: FrameBatch) throws -> SnapshotPart {
        guard case .snapshot(let part) = try message(batch) else { throw Unexpected() }
        return part
    }

    private func message(_ batch: FrameBatch?) throws -> ServerMessage {
        try ServerMessage(decoding: Array(try #require(batch?.frames.first).text.utf8))
    }

    private struct Unexpected: Error {}
}
