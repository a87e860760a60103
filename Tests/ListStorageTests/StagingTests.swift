import Foundation
import GRDB
import KeyedLists
import Synchronization
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// A commit of many rows keeps nobody from the file for long, and is there whole or not at all, wherever a process ends.
struct StagingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A list of a thousand rows, and a commit that touches most of them.
    private func largeChange(in store: SQLiteStore) throws -> (before: KeyedList, after: KeyedList, commit: Commit) {
        let before = try store.fill("names", (0..<1000).map { "k\($0)" }).list
        var after = before
        let rows = (0..<1500).reversed().filter { $0 % 5 > 0 }.map { ListRow("k\($0)", title: "New title of \($0)") }
        let commit = try #require(try after.replace(with: rows, at: 9))
        return (before, after, commit)
    }

    /// What a process finds that starts where another has ended.
    private func copies(of body: @escaping @Sendable () throws -> Void, in store: SQLiteStore) throws
        -> [TemporaryFolder]
    {
        let gate = try store.use { $0.gate }
        let isOver = Atomic(false)
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            isOver.store(true, ordering: .releasing)
        }
        var copies: [TemporaryFolder] = []
        var isLast = false
        while !isLast {
            isLast = isOver.load(ordering: .acquiring)
            // Whoever waits at the gate is let in next: between two copies lies a transaction, or none.
            try #require(gate.enter(within: 60))
            defer { gate.leave() }
            let copy = try TemporaryFolder()
            for file in [folder.data.database, folder.data.log, folder.data.lock] {
                let name = URL(fileURLWithPath: file).lastPathComponent
                try FileManager.default.copyItem(atPath: file, toPath: copy.path + "/" + name)
            }
            copies.append(copy)
        }
        return copies
    }

    @Test func whereverAProcessEndsALargeCommitIsThereWholeOrNotAtAll() throws {
        let store = try SQLiteStore(folder: folder.path)
        let (before, after, commit) = try largeChange(in: store)
        let copies = try copies(
            of: {
                let staged = try store.stage(commit, of: "names")
                try whenFree { try store.commit(staged, facts: StoredFacts(runs: 1), to: "names") }
                try store.finish(of: "names")
            }, in: store)
        #expect(copies.count > 10)
        var found = [0, 0]
        for copy in copies {
            try copy.withStore { store in
                var list = try store.load("names").list
                let isNew = list.revision == after.revision
                found[isNew ? 1 : 0] += 1
                try #require(list.placed == (isNew ? after : before).placed)
                #expect(list.removedKeys == (isNew ? after : before).removedKeys)
                // Small commits go on, whatever is still to be put away.
                for key in ["k1", "k4", "k7"] {
                    let small = try list.change([.set(ListRow(key, title: "small"), .kept), .remove(Key("\(key)1"))])
                    try whenFree { try store.commit(small, facts: StoredFacts(), to: "names") }
                }
                #expect(try store.load("names").list.placed == list.placed)
                try store.finish(of: "names")
                #expect(try rowsPutAside(in: copy) == 0)
                #expect(try store.load("names").list.placed == list.placed)
            }
        }
        #expect(found[0] > 2 && found[1] > 0, "\(found)")
        #expect(try store.load("names").list.placed == after.placed)
        #expect(try rowsPutAside(in: folder) == 0)
        try store.close()
    }

    @Test func whatAListForgetsAtOnceIsDeletedAThousandWithEachCommit() throws {
        let store = try SQLiteStore(folder: folder.path)
        var list = try store.fill("names", (0..<3500).map { "k\($0)" }).list
        let removal = try #require(try list.replace(with: [ListRow("a")], at: 1))
        try store.commit(removal, facts: StoredFacts(), to: "names")
        list.prune(keeping: 0, newerThan: .max)
        var left: [Int] = []
        for step in 0..<5 {
            let commit = try list.change([.set(ListRow("a", title: "\(step)"), .kept)])
            try whenFree { try store.commit(commit, facts: StoredFacts(), to: "names") }
            left.append(try number("SELECT count(*) FROM tombstones", in: folder))
            let stored = try store.load("names").list
            #expect(stored.placed == list.placed && stored.removedKeys.isEmpty)
        }
        #expect(left == [2500, 1500, 500, 0, 0])
        try store.close()
    }

    private func number(_ sql: String, in folder: TemporaryFolder) throws -> Int {
        let queue = try DatabaseQueue(path: folder.data.database)
        defer { #expect(throws: Never.self) { try queue.close() } }
        return try queue.read { try Int.fetchOne($0, sql: sql) ?? -1 }
    }

    private func rowsPutAside(in folder: TemporaryFolder) throws -> Int {
        try number("SELECT (SELECT count(*) FROM undoRows) + (SELECT count(*) FROM undoTombstones)", in: folder)
    }

    @Test func whatWasStagedAndNotCommittedIsSeenByNobodyAndPutAway() throws {
        let store = try SQLiteStore(folder: folder.path)
        let (before, _, commit) = try largeChange(in: store)
        _ = try store.stage(commit, of: "names")
        #expect(try store.load("names").list.placed == before.placed)

        try store.finish(of: "names")

        #expect(try store.load("names").list.placed == before.placed)
        #expect(try rowsPutAside(in: folder) == 0)
        try store.close()
    }

    @Test func aSecondLargeCommitWaitsUntilTheFirstIsPutAway() throws {
        let store = try SQLiteStore(folder: folder.path)
        var (_, list, commit) = try largeChange(in: store)
        for step in 0..<3 {
            let staged = try store.stage(commit, of: "names")
            try store.commit(staged, facts: StoredFacts(), to: "names")
            let rows = (0..<300).map { ListRow("k\($0 * (step + 2))", title: "Round \(step)") }
            commit = try #require(try list.replace(with: rows, at: 10))
        }
        try store.commit(commit, facts: StoredFacts(), to: "names")
        #expect(try store.load("names").list.placed == list.placed)
        try store.close()
    }

    @Test func whileALargeCommitIsKeptOthersAreKeptToo() throws {
        let store = try SQLiteStore(folder: folder.path)
        let (_, after, commit) = try largeChange(in: store)
        var small = try store.fill("small", ["a"])
        let isOver = Atomic(false)
        Thread.detachNewThread {
            do {
                let staged = try store.stage(commit, of: "names")
                try whenFree { try store.commit(staged, facts: StoredFacts(), to: "names") }
                try store.finish(of: "names")
            } catch { Issue.record(error) }
            isOver.store(true, ordering: .releasing)
        }
        var commits = 0
        while !isOver.load(ordering: .acquiring) {
            let next = try small.list.change([.set(ListRow("k", title: "\(commits)"), .first)])
            try whenFree { try store.commit(next, facts: StoredFacts(), to: "small") }
            commits += 1
        }
        #expect(commits >= 5)
        #expect(try store.load("names").list.placed == after.placed)
        #expect(try store.load("small").list.placed == small.list.placed)
        try store.close()
    }
}

extension KeyedList {
    /// In no order: which of those that went at once comes first, nobody says.
    fileprivate var removedKeys: Set<Key> { Set(patch(since: 0)?.remove ?? []) }
}
