import KeyedLists
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// What each form of handler makes of the list.
struct HandlerFormTests {
    @Test func textIsItsOwnKeyAndTitle() async {
        let stage = Stage(RefreshableList("fruit").refreshable { ["Apple", "Orange"] })

        await stage.refresh()

        #expect(await stage.titles == ["Apple", "Orange"])
        #expect(await stage.list.kept?.rows.rows.map(\.fields).first == ListRow("", title: "Apple").fields)
    }

    @Test func valueOfOnesOwnIsShownAsTheRowItSaysItIs() async {
        struct Fruit: RowConvertible {
            var name: String
            var row: ListRow { ListRow(name.lowercased(), title: name) }
        }
        let stage = Stage(RefreshableList("fruit").refreshable { [Fruit(name: "Apple")] })

        await stage.refresh()

        #expect(await stage.titles == ["apple"])
    }

    @Test func handlerThatEditsLeavesTheRowsAsItsEditsLeftThem() async {
        let stage = Stage(RefreshableList("names").rows([ListRow("a"), ListRow("b")]).onRefresh {})
        await stage.watch()

        let run = await stage.refresh()

        #expect(run?.outcome == .success)
        #expect(await stage.titles == ["a", "b"])
        #expect(await stage.list.kept?.facts.updatedAt != nil)
    }

    @Test func editsDuringTheRunOfAHandlerThatEditsAreWhatTheRunChanged() async {
        let gate = UncancellableGate()
        let stage = Stage(RefreshableList("names").rows([ListRow("a")]).onRefresh { await gate.pass() })
        async let run = stage.refresh()
        await gate.arrival()
        await stage.edit { try $0.replace(with: [ListRow("b"), ListRow("a")], at: 0) }
        gate.open()

        #expect(await run?.changes == ChangeCounts(inserted: 1, changed: 0, moved: 0, removed: 0))
        #expect(await stage.titles == ["b", "a"])
    }

    @Test func editsDuringTheRunOfAHandlerThatReturnsRowsAreNotItsChanges() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").rows([ListRow("a")]).refreshable {
                await gate.pass()
                return [ListRow("b")]
            })
        async let run = stage.refresh()
        await gate.arrival()
        await stage.edit { try $0.replace(with: [ListRow("b")], at: 0) }
        gate.open()

        #expect(await run?.changes == ChangeCounts(inserted: 0, changed: 0, moved: 0, removed: 0))
    }

    @Test func taskLoadsInitiallyInPlaceOfRefreshable() async {
        let stage = Stage(RefreshableList("fruit").task { ["first"] }.refreshable { ["again"] })

        await stage.watch()
        await stage.runEnds()
        let initially = await stage.titles
        await stage.refresh()

        #expect(initially == ["first"])
        #expect(await stage.titles == ["again"])
    }

    @Test func taskAloneGivesNoPull() async throws {
        let stage = Stage(RefreshableList("fruit").task { ["first"] })

        await stage.watch()
        await stage.runEnds()

        let ok = await stage.contents().attachments.first?.ok
        #expect(String(decoding: ok ?? [], as: UTF8.self).contains(#""refreshable":false"#))
        #expect(await stage.titles == ["first"])
    }

    @Test func taskAloneIsRepeatedByEvery() async {
        let count = Locked(0)
        let stage = Stage(
            RefreshableList("fruit").every(.seconds(60)).task {
                count.withLock { count in
                    count += 1
                    return ["\(count)"]
                }
            })
        await stage.watch()
        await stage.runEnds()

        await stage.advance(by: .seconds(60))
        await stage.runEnds()

        #expect(await stage.titles == ["2"])
    }

    @Test func oneFunctionServesTheInitialLoadAndEveryRefresh() async {
        let causes = Locked<[RefreshCause]>([])
        let stage = Stage(
            RefreshableList("fruit").refreshable { run in causes.withLock { $0.append(run.cause) } })

        await stage.watch()
        await stage.runEnds()
        await stage.refresh()

        #expect(causes.withLock { $0 } == [.initial, .code])
    }
}

extension Stage {
    /// Changes the rows as an edit does that belongs to no run.
    func edit(_ change: @escaping @Sendable (inout KeyedList) throws -> Commit?) async {
        await withCheckedContinuation { continuation in
            list.post { list in
                list.commit(by: nil) {
                    RowsChange(weight: 0, apply: change)
                } then: { result in
                    if case .failure(let error) = result { Issue.record(error) }
                    continuation.resume()
                }
            }
        }
    }

    /// Waits until the run under way is over.
    func runEnds() async {
        while await list.gate.current != nil { await Task.yield() }
    }
}
