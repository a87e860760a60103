import KeyedLists
import Testing

@testable import RefreshableLists

/// Code that follows the rows: each change once, however slow it is.
@Suite(.timeLimit(.minutes(1)))
struct ChangesTests {
    private let stage = Stage(RefreshableList("names").rows([ListRow("a"), ListRow("b"), ListRow("c")]))

    @Test func changesSaysWhatCameMovedAndLeft() async throws {
        var changes = stage.list.changes.makeAsyncIterator()
        let after = try await stage.list.edit { rows in
            rows.insert(ListRow("d", title: "D"))
            rows.move("a", .last)
            rows.remove("b")
        }

        let change = try #require(await changes.next())

        #expect(change.revision == after)
        #expect(change.set == [ListRow("d", title: "D")] && change.moved == ["a"] && change.removed == ["b"])
        #expect(!change.isSnapshot)
    }

    @Test func aReaderThatIsSlowIsToldOnceOfAll() async throws {
        var changes = stage.list.changes.makeAsyncIterator()
        for number in 0..<3000 { try await stage.list.set(ListRow("n", title: "\(number)")) }
        try await stage.list.remove("c")

        let change = try #require(await changes.next())

        #expect(change.set.map(\.title) == ["2999"] && change.removed == ["c"])
    }

    @Test func aReaderThatWaitsIsTold() async throws {
        let told = Task { [changes = stage.list.changes] in
            for await change in changes { return change.removed }
            return []
        }
        try await stage.list.remove("a")
        try await stage.list.remove("b")
        #expect(await told.value.contains("a"))
    }

    @Test func whatIsForgottenIsASnapshot() async throws {
        var changes = stage.list.changes.makeAsyncIterator()
        try await stage.list.renewEpoch()
        try await stage.list.remove("a")

        let change = try #require(await changes.next())

        #expect(change.isSnapshot && change.set.map(\.key) == ["b", "c"])
    }

    @Test func changesEndWithTheListAndWithTheTask() async throws {
        let waiting = Task { [changes = stage.list.changes] in
            for await _ in changes {}
            return true
        }
        let cancelled = Task { [changes = stage.list.changes] in
            for await _ in changes {}
            return true
        }
        cancelled.cancel()
        #expect(await cancelled.value)

        await stage.list.end()

        #expect(await waiting.value)
        for await _ in stage.list.changes { Issue.record("A list that has ended told a change.") }
        #expect(await stage.list.followers.places.isEmpty)
    }
}

extension LiveList {
    fileprivate func renewEpoch() throws {
        try kept?.renewEpoch()
        try settleRows()
    }
}
