import KeyedLists
import ListProtocol
import ListSources
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// A list that grows by `more`, a page at a time.
struct PagingTests {
    /// Three pages of two: a b, c d, e f.
    private static let pages: [String: [String]] = ["b": ["c", "d"], "d": ["e", "f"], "f": []]

    private let stage = Stage(
        RefreshableList("letters").refreshable { ["a", "b"] }.more { last in pages[last.key.string] ?? [] })

    @Test func pageFollowsTheLastRow() async {
        await stage.refresh()

        let answer = await stage.more(after: "b")
        await stage.runEnds()

        #expect(answer == .run("r2", joined: false))
        #expect(await stage.titles == ["a", "b", "c", "d"])
        #expect(await stage.list.last?.cause == .more)
        #expect(await stage.list.last?.changes.inserted == 2)
    }

    @Test func stateSaysWhetherThereIsMoreUntilAPageIsEmpty() async {
        await stage.watch()
        await stage.runEnds()
        let atFirst = await stage.state.hasMore
        for last in ["b", "d"] {
            _ = await stage.more(after: last)
            await stage.runEnds()
        }
        let before = await stage.state.hasMore
        _ = await stage.more(after: "f")
        await stage.runEnds()

        #expect(atFirst)
        #expect(before)
        #expect(await !stage.state.hasMore)
        #expect(await stage.more(after: "f") == .noRun(.exhausted))
    }

    @Test func pageThatKnowsItIsTheLastOneExhaustsTheList() async {
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in MorePage([ListRow("b")], isLast: true) })
        await stage.refresh()

        _ = await stage.more(after: "a")
        await stage.runEnds()

        #expect(await stage.titles == ["a", "b"])
        #expect(await stage.more(after: "b") == .noRun(.exhausted))
    }

    @Test func refreshShowsTheFirstPageAgainAndResetsWhatWasExhausted() async {
        await stage.refresh()
        for last in ["b", "d", "f"] {
            _ = await stage.more(after: last)
            await stage.runEnds()
        }

        await stage.refresh()

        #expect(await stage.titles == ["a", "b"])
        #expect(await stage.more(after: "b") != .noRun(.exhausted))
    }

    @Test func refreshThatFailsLeavesTheListExhausted() async {
        let isBroken = Locked(false)
        let stage = Stage(
            RefreshableList("letters").refreshable {
                if isBroken.withLock({ $0 }) { throw RefreshFailure("No.") }
                return ["a"]
            }.more { _ in [] })
        await stage.refresh()
        _ = await stage.more(after: "a")
        await stage.runEnds()
        isBroken.withLock { $0 = true }

        await stage.refresh()

        #expect(await stage.more(after: "a") == .noRun(.exhausted))
    }

    @Test func pageAfterARowThatIsNotTheLastHasCome() async {
        await stage.refresh()
        _ = await stage.more(after: "b")
        await stage.runEnds()

        #expect(await stage.more(after: "b") == .noRun(.spent))
        #expect(await stage.titles == ["a", "b", "c", "d"])
    }

    @Test func pageSentTwiceIsOneRun() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in
                await gate.pass()
                return ["b"]
            })
        await stage.refresh()

        let first = await stage.more(after: "a")
        let second = await stage.more(after: "a")
        gate.open()
        await stage.runEnds()

        #expect(first == .run("r2", joined: false))
        #expect(second == .run("r2", joined: true))
        #expect(gate.begun == 1)
    }

    @Test func latePageOfAnOlderRunIsDropped() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in
                await gate.pass()
                return ["late"]
            })
        await stage.watch()
        await stage.runEnds()
        _ = await stage.more(after: "a")
        await gate.arrival()

        let run = await stage.refresh()
        gate.open()
        await stage.until { await stage.list.overdueHandlers == 0 }

        #expect(run?.id == RunID(3))
        #expect(await stage.titles == ["a"])
        #expect(await stage.contents().states.newest?.told.run == "r3")
    }

    @Test func listThatComesInOnePieceHasNoMore() async {
        let stage = Stage(RefreshableList("letters").refreshable { ["a"] })
        await stage.refresh()

        guard case .noRun(.refused, _) = await stage.more(after: "a") else { return #expect(Bool(false)) }
        #expect(await !stage.state.hasMore)
    }

    @Test func pageIsNoRefreshAndMovesNoTimes() async {
        await stage.refresh()
        let before = await stage.list.kept?.facts
        await stage.advance(by: .seconds(5))

        _ = await stage.more(after: "b")
        await stage.runEnds()

        #expect(await stage.list.kept?.facts.updatedAt == before?.updatedAt)
    }

    @Test func pageThatFailsKeepsTheRowsFreshAndMayBeAskedForAgain() async {
        let isBroken = Locked(true)
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in
                if isBroken.withLock({ $0 }) { throw RefreshFailure("No.") }
                return ["b"]
            })
        await stage.refresh()
        _ = await stage.more(after: "a")
        await stage.runEnds()
        let failed = await stage.list.last
        let staleSince = await stage.list.kept?.facts.staleSince
        isBroken.withLock { $0 = false }

        _ = await stage.more(after: "a")
        await stage.runEnds()

        #expect(failed?.outcome == .failure)
        #expect(staleSince == nil)
        #expect(await stage.titles == ["a", "b"])
    }

    @Test func rowThatThePageBringsAgainStaysWhereItIs() async {
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a", "b"] }.more { _ in
                [ListRow("b", title: "B"), ListRow("c")]
            })
        await stage.refresh()

        _ = await stage.more(after: "b")
        await stage.runEnds()

        #expect(await stage.titles == ["a", "b", "c"])
        #expect(await stage.list.last?.changes == ChangeCounts(inserted: 1, changed: 1, moved: 0, removed: 0))
    }

    @Test func rowPushedWhileThePageLoadedIsKept() async throws {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in
                await gate.pass()
                return [ListRow("b", title: "page"), ListRow("c")]
            })
        await stage.refresh()
        _ = await stage.more(after: "a")
        await gate.arrival()
        try await stage.list.insert(ListRow("b", title: "pushed"))
        gate.open()
        await stage.runEnds()

        #expect(await stage.titles == ["b", "a", "c"])
        #expect(await stage.list.kept?.rows["b"]?.fields["title"] == "pushed")
    }

    @Test func keyThatComesTwiceInAPageFailsItAndIsNamed() async {
        let stage = Stage(RefreshableList("letters").refreshable { ["a"] }.more { _ in ["b", "b"] })
        await stage.refresh()

        _ = await stage.more(after: "a")
        await stage.runEnds()

        #expect(await stage.list.last?.error?.code == "duplicateKey")
        #expect(await stage.titles == ["a"])
    }

    @Test func keyThatComesTwiceInAPageMayBePassedOver() async {
        let list = RefreshableList("letters").duplicates(.keepFirst).refreshable { ["a"] }
        let stage = Stage(list.more { _ in [ListRow("b", title: "first"), ListRow("b", title: "second")] })
        await stage.refresh()

        _ = await stage.more(after: "a")
        await stage.runEnds()

        #expect(await stage.titles == ["a", "b"])
        #expect(await stage.list.kept?.rows["b"]?.fields["title"] == "first")
    }

    @Test func gesturesHearNothingOfPages() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("letters").refreshable { ["a"] }.more { _ in
                await gate.pass()
                return ["b"]
            })
        await stage.watch()
        await stage.runEnds()
        await stage.advance(by: .seconds(1))

        _ = await stage.more(after: "a")
        await gate.arrival()
        let during = await stage.contents().states.newest
        gate.open()
        await stage.runEnds()
        let after = await stage.contents().states.newest

        #expect(during?.phase == .loading)
        #expect(during?.told == .init(phase: .waiting, run: "r1"))
        #expect(after?.phase == .closing)
        #expect(after?.told == .init(phase: .waiting, run: "r1"))
    }

    @Test func sourceWithPagesLoadsThem() async {
        struct Numbers: PagedSource {
            func rows(into run: any RowSink) async throws { run.yield([ListRow("1")]) }
            func rows(after last: ListRow) async throws -> MorePage {
                MorePage([ListRow(last.key.string + "1")], isLast: true)
            }
        }
        let stage = Stage(RefreshableList("numbers").source(Numbers()))
        await stage.refresh()

        _ = await stage.more(after: "1")
        await stage.runEnds()

        #expect(await stage.titles == ["1", "11"])
    }
}

extension Stage {
    /// Asks for the next page as a session does, and returns what it is answered.
    func more(after key: String) async -> RunReference? {
        let feed = LoopFeed { _ in }
        await list.more(after: Key(key), by: "ann", messageID: "m", for: 1, to: feed)
        for case .replied(_, let bytes) in feed.take().deliveries {
            if case .ok(let ok) = try? ServerMessage(decoding: bytes) { return ok.run }
        }
        return nil
    }
}
