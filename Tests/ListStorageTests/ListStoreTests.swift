import KeyedLists
import Testing

@testable import ListStorage
@testable import PostgresStorage
@testable import SQLiteStorage

/// What every store does, kept in memory, on a disk or in a database.
@Suite struct ListStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func stores() throws -> [any ListStore] {
        let database = TestDatabase.shared?.makeDatabase()
        return [MemoryStore(), try SQLiteStore(folder: folder.path)]
            + [try database.map { try PostgresStore($0) }].compactMap(\.self)
    }

    @Test func aListThatIsAskedForFirstIsEmptyInAnEpochOfItsOwn() throws {
        for store in try stores() {
            let names = try store.load("names")
            let fruit = try store.load("fruit")
            #expect(names.list.isEmpty && names.list.revision == 0 && names.facts == StoredFacts())
            #expect(!names.isRestored || store.shared != nil)
            #expect(names.epoch != fruit.epoch)
            #expect(try store.load("names").epoch == names.epoch)
        }
    }

    @Test func aListIsLoadedAsItWasCommitted() throws {
        for store in try stores() {
            var kept = try store.fill("names", ["a", "b", "c"])
            let facts = StoredFacts(runs: 7, updatedAt: 1_790_000_000_000, staleSince: 5, lastRun: Array("{}".utf8))
            let commit = try kept.list.change([.remove("b"), .set(ListRow("a", title: "new"), .last)], at: 9)
            try store.commit(commit, facts: facts, to: "names")
            let loaded = try store.load("names")
            #expect(loaded.list.placed == kept.list.placed)
            #expect(loaded.list.keys == ["c", "a"])
            #expect(loaded.list.revision == 2)
            #expect(loaded.list.patch(since: 1) == kept.list.patch(since: 1))
            #expect(loaded.facts == facts)
        }
    }

    @Test func factsAreNotedWithoutARevision() throws {
        for store in try stores() {
            try store.fill("names", ["a"])
            try store.note(StoredFacts(runs: 3, staleSince: 8), of: "names")
            let loaded = try store.load("names")
            #expect(loaded.facts == StoredFacts(runs: 3, staleSince: 8))
            #expect(loaded.list.revision == 1 && loaded.list.keys == ["a"])
        }
    }

    @Test func runsOfActionsAreKeptWithWhateverIsKeptNext() throws {
        for store in try stores() {
            var kept = try store.fill("names", ["a", "b"])
            var run = StoredActionRun(key: Array(1...16), run: "a1", begunAt: 1, state: Array("{}".utf8))
            var facts = StoredFacts(runs: 1)
            facts.actionRuns = [run]
            try store.note(facts, of: "names")

            run.state = Array("{1}".utf8)
            let other = StoredActionRun(key: Array(2...17), run: "a2", begunAt: 2, state: [])
            facts.actionRuns = [run, other]
            try store.commit(try kept.list.change([.remove("b")], at: 9), facts: facts, to: "names")
            try store.note(StoredFacts(runs: 2), of: "names")

            let loaded = try store.load("names")
            #expect(loaded.actionRuns == [run, other])
            #expect(loaded.facts == StoredFacts(runs: 2))
            #expect(loaded.list.keys == ["a"])
        }
    }

    @Test func whatPeopleHaveNotSeenIsKeptAndTheNewestCounts() throws {
        for store in try stores() {
            try store.fill("names", ["a"])
            var facts = StoredFacts(runs: 1)
            facts.unread = [StoredUnread(person: "ada", keys: [1]), StoredUnread(person: "bob", keys: [])]
            try store.note(facts, of: "names")
            facts.unread = [StoredUnread(person: "ada", keys: [2])]
            try store.note(facts, of: "names")
            let loaded = try store.load("names")
            #expect(
                loaded.unread == [StoredUnread(person: "ada", keys: [2]), StoredUnread(person: "bob", keys: [])])
            #expect(loaded.facts == StoredFacts(runs: 1))
        }
    }

    @Test func aCommitThatDoesNotFollowIsRefusedAndChangesNothing() throws {
        for store in try stores() {
            var kept = try store.fill("names", ["a"])
            let second = try kept.list.change([.set(ListRow("b"), .last)], at: 2)
            let third = try kept.list.change([.set(ListRow("c"), .last)], at: 3)
            #expect(throws: ListStoreError.outOfStep(list: "names", revision: 3)) {
                try store.commit(third, facts: StoredFacts(runs: 9), to: "names")
            }
            #expect(try store.load("names").list.keys == ["a"])
            #expect(try store.load("names").facts.runs == 0)
            try store.commit(second, facts: StoredFacts(), to: "names")
            try store.commit(third, facts: StoredFacts(), to: "names")
            #expect(throws: ListStoreError.outOfStep(list: "names", revision: 3)) {
                try store.commit(third, facts: StoredFacts(), to: "names")
            }
        }
    }

    @Test func aNewEpochKeepsTheRows() throws {
        for store in try stores() {
            let kept = try store.fill("names", ["a", "b"])
            let epoch = try store.renewEpoch(of: "names")
            let loaded = try store.load("names")
            #expect(epoch != kept.epoch && loaded.epoch == epoch)
            // Of a database that others share, any revision may be known that was lost.
            #expect(!loaded.isRestored || store.shared != nil)
            #expect(loaded.list.placed == kept.list.placed)
        }
    }

    @Test func aNewEpochBeginsAtTheNextRevisionWithoutAWayToIt() throws {
        for store in try stores() {
            try store.fill("names", ["a", "b"])
            _ = try store.renewEpoch(of: "names")
            let loaded = try store.load("names")
            #expect(loaded.list.revision == 2)
            #expect(loaded.list.patch(since: 1) == nil)
        }
    }

    @Test func aListOfAnotherStoreComesWithAllThatItHasInANewEpochBeyondBoth() throws {
        let other = try MemoryStore().sample("other")
        for store in try stores() {
            let former = try store.sample("names", keys: ["x", "a", "y"], commits: 5)
            let epoch = try store.replace("names", with: other)
            let loaded = try store.load("names")
            #expect(loaded.list.placed == other.list.placed)
            #expect(loaded.epoch == epoch && epoch != other.epoch && epoch != former.epoch)
            #expect(loaded.list.revision == max(former.list.revision, other.list.revision) + 1)
            #expect(loaded.list.patch(since: loaded.list.revision - 1) == nil && loaded.list.tombstoneCount == 0)
            #expect(loaded.facts == other.facts && loaded.actionRuns == other.actionRuns)
            #expect(loaded.unread == other.unread)
        }
    }

    @Test func aListThatTookThePlaceOfAnotherGoesOn() throws {
        let other = try MemoryStore().sample("other")
        for store in try stores() {
            _ = try store.load("names")
            _ = try store.replace("names", with: other)
            var list = try store.load("names").list
            let commit = try list.change([.remove("b"), .set(ListRow("new"), .first)])
            try whenFree { try store.commit(commit, facts: other.facts.withoutAdditions, to: "names") }
            let loaded = try store.load("names")
            #expect(loaded.list.placed == list.placed && loaded.list.keys == ["new", "c"])
            #expect(loaded.list.patch(since: commit.revision - 1) == list.patch(since: commit.revision - 1))
        }
    }

    @Test func aListThatTakesThePlaceOfAnotherUsesNoNumberOfARunAgain() throws {
        let other = try MemoryStore().sample("other")
        for store in try stores() {
            try store.fill("names", ["a"])
            try store.note(StoredFacts(runs: 99), of: "names")
            _ = try store.replace("names", with: other)
            #expect(try store.load("names").facts.runs == 99)
        }
    }

    @Test func manyRowsTakeThePlaceOfOthers() throws {
        let memory = MemoryStore()
        let other = try memory.fill("names", (0..<2500).map { "k\($0)" })
        for store in try stores() {
            try store.fill("names", ["k7", "z"])
            _ = try store.replace("names", with: other)
            #expect(try store.load("names").list.placed == other.list.placed)
        }
    }

    @Test func keysAreBytes() throws {
        let keys = ["e\u{301}", "\u{E9}", "a\u{0}b", "a", "", "😂"]
        for store in try stores() {
            try store.fill("names", keys)
            #expect(
                try store.load("names").list.placed.map { Array($0.key.string.utf8) } == keys.map { Array($0.utf8) })
            // The names of lists as well.
            #expect(try store.fill("e\u{301}", ["1"]).list.keys == ["1"])
            #expect(try store.load("\u{E9}").list.isEmpty)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func randomHistoriesComeBackFromEveryRevision(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let memory = MemoryStore()
        var disk = try SQLiteStore(folder: folder.path)
        var list = try memory.load("names").list
        let epoch = try disk.load("names").epoch
        for step in 1...150 {
            let edits = (0...Int.random(in: 0..<4, using: &random)).map { _ in random.edit() }
            if step % 20 == 0 { list.prune(keeping: 3, newerThan: .max) }
            if let commit = list.commit(edits, at: Int64(step)) {
                for store in [memory, disk] as [any ListStore] {
                    try keep(commit, facts: StoredFacts(runs: step), in: store, by: &random)
                }
            }
            guard step % 10 == 0 else { continue }
            if step % 30 == 0 { try disk.close() }
            disk = try step % 30 == 0 ? SQLiteStore(folder: folder.path) : disk
            for store in [memory, disk] as [any ListStore] {
                let loaded = try store.load("names")
                #expect(loaded.list.placed == list.placed, "seed \(seed), step \(step)")
                // A floor that was raised since the last commit is not kept yet.
                for base in list.floor...list.revision {
                    let patch = loaded.list.patch(since: base)
                    #expect(patch?.unordered == list.patch(since: base)?.unordered, "seed \(seed), step \(step)")
                }
            }
            #expect(try disk.load("names").epoch == epoch)
        }
    }
}

/// Keeps a commit as small ones or as large ones are, and puts the rows of these away or leaves them where they are.
private func keep(_ commit: Commit, facts: StoredFacts, in store: any ListStore, by random: inout Generator) throws {
    guard Int.random(in: 0..<3, using: &random) == 0 else {
        return try whenFree { try store.commit(commit, facts: facts, to: "names") }
    }
    if Bool.random(using: &random) { _ = try store.stage(commit, of: "names") }
    let staged = try store.stage(commit, of: "names")
    try whenFree { try store.commit(staged, facts: facts, to: "names") }
    if Bool.random(using: &random) { try store.finish(of: "names") }
}

extension Patch {
    /// The patch as what it means: keys that go together may be named in any order.
    fileprivate var unordered: Patch {
        var patch = self
        patch.remove.sort { $0.string < $1.string }
        return patch
    }
}

extension Generator {
    fileprivate mutating func edit() -> Edit {
        let key = Key("k\(Int.random(in: 0..<12, using: &self))")
        let other = Key("k\(Int.random(in: 0..<12, using: &self))")
        let places: [Place] = [.kept, .first, .last, .before(other), .after(other)]
        return Int.random(in: 0..<3, using: &self) == 0
            ? .remove(key)
            : .set(
                ListRow(key: key, fields: Fields(["n": .number(Double(Int.random(in: 0..<5, using: &self)))])),
                places.randomElement(using: &self)!)
    }
}
