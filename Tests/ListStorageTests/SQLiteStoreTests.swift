import Foundation
import KeyedLists
import Synchronization
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// What a store on a disk does besides.
@Suite struct SQLiteStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func theFolderIsCreatedForItsUserAlone() throws {
        let path = folder.path + "/deep/data"
        try SQLiteStore(folder: path).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func aCommitWritesTheRowsItNamesAndNoOther() throws {
        try folder.withStore { store in
            var list = try store.fill("names", (0..<1_000).map { "k\($0)" }).list
            func written(by edits: [Edit]) throws -> Int {
                let before = try store.rowsWritten
                let commit = try list.change(edits, at: 5)
                try store.commit(commit, facts: StoredFacts(), to: "names")
                return try store.rowsWritten - before
            }
            // The line of the list itself is one of them.
            #expect(try written(by: [.set(ListRow("k500", title: "changed"), .kept)]) == 2)
            #expect(try written(by: [.set(ListRow("k900", title: "Title of k900"), .first)]) == 2)
            #expect(try written(by: [.set(ListRow("new"), .last)]) == 2)
            #expect(try written(by: [.remove("k3")]) == 3)
            #expect(try written(by: [.set(ListRow("k3"), .last)]) == 3)
            let before = try store.rowsWritten
            try store.note(StoredFacts(runs: 1), of: "names")
            #expect(try store.rowsWritten - before == 1)
        }
    }

    @Test func aHundredChangedRowsOfAHundredThousandAreAHundredWritten() throws {
        try folder.withStore { store in
            var list = try store.fill("names", (0..<100_000).map { "k\($0)" }).list
            let edits = (0..<100).map { Edit.set(ListRow("k\($0 * 997)", title: "changed"), .kept) }
            let commit = try list.change(edits)
            let before = try store.rowsWritten
            try store.commit(commit, facts: StoredFacts(), to: "names")
            // And the line of the list itself.
            #expect(try store.rowsWritten - before == 101)
        }
    }

    @Test func loadingWritesNothing() throws {
        try folder.withStore { try $0.fill("names", ["a"]) }
        try folder.withStore { store in
            let before = try store.rowsWritten
            let new = try store.load("new")
            _ = try store.load("names")
            #expect(try store.load("new").epoch == new.epoch)
            #expect(try store.rowsWritten == before)
            try store.note(StoredFacts(runs: 1), of: "new")
            #expect(try store.load("new").epoch == new.epoch)
        }
    }

    @Test func othersCommitWhileALargeListIsRead() throws {
        try folder.withStore { try $0.fill("large", (0..<30_000).map { "k\($0)" }) }
        try folder.withStore { store in
            var small = try store.load("small")
            let count = Atomic(0)
            Thread.detachNewThread {
                do {
                    count.store(try store.load("large").list.count, ordering: .releasing)
                } catch {
                    Issue.record(error)
                    count.store(-1, ordering: .releasing)
                }
            }
            var commits = 0
            while count.load(ordering: .acquiring) == 0 {
                let commit = try small.list.change([.set(ListRow("k", title: "\(commits)"), .first)])
                try whenFree { try store.commit(commit, facts: small.facts, to: "small") }
                commits += 1
            }
            #expect(count.load(ordering: .acquiring) == 30_000)
            #expect(commits >= 5)
        }
    }

    @Test func aFloorThatIsNotKeptYetOnlyMakesMorePatches() throws {
        try folder.withStore { store in
            var list = try store.fill("names", ["a", "b", "c"]).list
            try store.commit(try list.change([.remove("a")]), facts: StoredFacts(), to: "names")
            try store.commit(try list.change([.remove("b")]), facts: StoredFacts(), to: "names")
            let whole = list
            list.prune(keeping: 0, newerThan: .max)
            #expect(list.patch(since: 1) == nil)
            // Another start without another commit: the removals are all there, so an older base has its patch again.
            let loaded = try store.load("names").list
            #expect(loaded.patch(since: 1) == whole.patch(since: 1))
        }
    }

    @Test func prunedTombstonesAreDeleted() throws {
        try folder.withStore { store in
            var list = try store.fill("names", ["a", "b", "c"]).list
            for key in ["a", "b"] as [Key] {
                try store.commit(try list.change([.remove(key)], at: 5), facts: StoredFacts(), to: "names")
            }
            list.prune(keeping: 0, newerThan: .max)
            try store.commit(
                try list.change([.set(ListRow("d"), .last)], at: 6), facts: StoredFacts(), to: "names")
            let loaded = try store.load("names").list
            #expect(loaded.floor == list.floor && loaded.floor > 1)
            #expect(loaded.patch(since: 1) == nil)
            #expect(loaded.patch(since: loaded.floor) == list.patch(since: loaded.floor))
        }
    }

    @Test func aListThatNobodyAsksForKeepsItsRows() throws {
        try folder.withStore { try $0.fill("old", ["a", "b"]) }
        try folder.withStore { try $0.fill("new", ["c"]) }
        try folder.withStore { store in
            let old = try store.load("old")
            #expect(old.list.keys == ["a", "b"] && old.isRestored)
        }
    }

    @Test func afterTheCloseEverythingIsRefused() throws {
        let store = try SQLiteStore(folder: folder.path)
        let stored = try store.fill("names", ["a"])
        try store.close()
        try store.close()
        let closed = ListStoreError.closed(path: folder.data.database)
        #expect(throws: closed) { try store.load("names") }
        #expect(throws: closed) { try store.note(stored.facts, of: "names") }
        #expect(throws: closed) { try store.renewEpoch(of: "names") }
    }

    @Test func listsAreKeptFromManyThreadsAtOnce() async throws {
        let store = try SQLiteStore(folder: folder.path)
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    var stored = try store.load("list \(number)")
                    for step in 0..<50 {
                        guard let commit = stored.list.commit([.set(ListRow("k\(step)"), .last)], at: 1) else {
                            continue
                        }
                        try whenFree { try store.commit(commit, facts: StoredFacts(runs: step), to: "list \(number)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<8 { #expect(try store.load("list \(number)").list.revision == 50) }
        try store.close()
    }

    @Test func aProcessKilledAmidCommitsLosesNothingItAcknowledged() async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SQLiteStore(folder: path)
            var stored = try store.load("names")
            let commits = Atomic(0)
            let acknowledged = open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
            let killer = Thread {
                while commits.load(ordering: .relaxed) < 300 { sched_yield() }
                kill(getpid(), SIGKILL)
            }
            killer.start()
            for step in 1... {
                let edits: [Edit] = [
                    .set(ListRow("k\(step % 50)", title: "\(step)"), .first), .remove(Key("k\((step + 25) % 50)")),
                ]
                let commit = try stored.list.change(edits)
                try store.commit(commit, facts: StoredFacts(runs: commit.revision), to: "names")
                let text = Array("\(stored.epoch) \(commit.revision)      ".utf8)
                _ = pwrite(acknowledged, text, text.count, 0)
                commits.add(1, ordering: .relaxed)
            }
        }
        let words = try String(contentsOfFile: path + "/acknowledged", encoding: .utf8).split(separator: " ")
        let revision = try #require(Int(words[1]))
        let stored = try SQLiteStore(folder: path).load("names")
        #expect(stored.epoch.description == words[0])
        #expect(stored.isRestored)
        #expect(revision >= 300)
        #expect(stored.list.revision == revision || stored.list.revision == revision + 1)
        #expect(stored.facts.runs == stored.list.revision)
        print("killed after revision \(revision) was acknowledged; found \(stored.list.revision)")
    }
}
