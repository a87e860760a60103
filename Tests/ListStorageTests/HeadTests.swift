import Foundation
import GRDB
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// The first rows of a long list are given out before all are read, and only as they were kept.
struct HeadTests {
    private let folder: TemporaryFolder
    private let count = HeadKeys.threshold + 10

    init() throws { folder = try TemporaryFolder() }

    /// Keeps so many rows, as a list does.
    private func fill(_ store: some ListStore, count: Int? = nil) throws -> KeyedList {
        var list = try store.load("log").list
        let rows = (0..<(count ?? self.count)).map { ListRow("k\($0)", title: "Title of \($0)") }
        let commit = try #require(try list.replace(with: rows, at: 1))
        try store.commit(commit, facts: facts(of: list), to: "log")
        return list
    }

    private func facts(of list: KeyedList) -> StoredFacts {
        var facts = StoredFacts(runs: 3, updatedAt: 7)
        facts.head = HeadKeys(of: list)
        return facts
    }

    @Test func theHeadOfALongListIsGivenOutBeforeTheListIsLoaded() throws {
        let list = try folder.withStore { try fill($0) }
        try folder.withStore { store in
            let head = try #require(try store.head(of: "log"))
            #expect(head.rows == list.rows(in: 0..<HeadKeys.size))
            #expect(head.count == count && head.facts == StoredFacts(runs: 3, updatedAt: 7))
            let stored = try store.load("log")
            #expect(head.epoch == stored.epoch && head.revision == stored.list.revision)
        }
    }

    @Test func theHeadFollowsWhatIsCommittedAndNoted() throws {
        try folder.withStore { store in
            var list = try fill(store)
            for edits: [Edit] in [
                [.set(ListRow("new", title: "New"), .first)], [.remove("k0"), .remove("k7")],
                [.set(ListRow("k3", title: "Other"), .kept)], [.set(ListRow("k4", title: "Away"), .last)],
            ] {
                try store.commit(try list.change(edits), facts: facts(of: list), to: "log")
                let head = try #require(try store.head(of: "log"))
                #expect(head.rows == list.rows(in: 0..<HeadKeys.size) && head.count == list.count)
            }
            let epoch = try store.renewEpoch(of: "log")
            #expect(try store.head(of: "log")?.epoch == epoch)
        }
    }

    @Test func aListThatIsShortHasNone() throws {
        try folder.withStore { store in
            var list = try fill(store, count: HeadKeys.threshold)
            #expect(try store.head(of: "log") == nil)
            try store.commit(try list.change([.set(ListRow("one"), .last)]), facts: facts(of: list), to: "log")
            #expect(try store.head(of: "log") != nil)
            try store.commit(try list.change([.remove("one")]), facts: facts(of: list), to: "log")
            #expect(try store.head(of: "log") == nil)
            #expect(try store.head(of: "another") == nil)
        }
    }

    @Test(arguments: [
        "UPDATE heads SET count = 7", "UPDATE heads SET keys = substr(keys, 1, 1000)",
        "UPDATE rows SET fields = CAST('{}' AS BLOB) WHERE key = CAST('k5' AS BLOB)",
        "UPDATE rows SET position = position + 7777 WHERE key = CAST('k5' AS BLOB)",
        "DELETE FROM rows WHERE key = CAST('k199' AS BLOB)", "DELETE FROM heads",
    ])
    func whatIsNotAsItWasWrittenIsGivenToNobody(change: String) throws {
        _ = try folder.withStore { try fill($0) }
        let queue = try DatabaseQueue(path: folder.data.database)
        try queue.write { database in
            try database.execute(sql: change)
            #expect(database.changesCount == 1)
        }
        try queue.close()
        #expect(try folder.withStore { try $0.head(of: "log") } == nil)
    }

    @Test func amidALargeCommitThereIsNone() throws {
        try folder.withStore { store in
            var list = try fill(store)
            let commit = try list.change((0..<300).map { .set(ListRow("k\($0)", title: "Other"), .kept) })
            let staged = try store.stage(commit, of: "log")
            #expect(try store.head(of: "log") == nil)
            try whenFree { try store.commit(staged, facts: facts(of: list), to: "log") }
            #expect(try store.head(of: "log")?.rows == list.rows(in: 0..<HeadKeys.size))
        }
    }

    @Test func aCopiedListHasItsHead() throws {
        let list = try folder.withStore { try fill($0) }
        let other = try TemporaryFolder()
        try other.withStore { store in
            let stored = try folder.withStore { try $0.load("log") }
            _ = try store.replace("log", with: stored)
            #expect(try store.head(of: "log")?.rows.map(\.key) == list.rows(in: 0..<HeadKeys.size).map(\.key))
            _ = try store.replace("log", with: try TemporaryFolder().withStore { try $0.fill("log", ["a"]) })
            #expect(try store.head(of: "log") == nil)
        }
    }
}
