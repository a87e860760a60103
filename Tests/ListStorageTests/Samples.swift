import Foundation
import KeyedLists
import Testing

@testable import ListStorage

extension ListStore {
    /// Loads a list and puts rows into it in one commit.
    @discardableResult
    func fill(_ name: String, _ keys: [String], at now: Int64 = 1) throws -> StoredList {
        var stored = try load(name)
        if let commit = try stored.list.replace(with: keys.map { ListRow($0, title: "Title of \($0)") }, at: now) {
            try self.commit(commit, facts: stored.facts, to: name)
        }
        return stored
    }
}

extension ListStore {
    /// A list with all that one can have: by default rows "b" and "c" of several revisions, and a tombstone.
    @discardableResult
    func sample(_ name: String, keys: [String] = ["a", "b", "c"], commits: Int = 2) throws -> StoredList {
        var stored = try fill(name, keys)
        var facts = StoredFacts(runs: 7, updatedAt: 1_790_000_000_000, staleSince: 5, lastRun: Array("{}".utf8))
        facts.actionRuns = [StoredActionRun(key: Array(1...16), run: "a1", begunAt: 1, state: Array("{ }".utf8))]
        facts.unread = [StoredUnread(person: "ada", keys: [1]), StoredUnread(person: "bob", keys: [])]
        for number in 1..<commits {
            let title = Edit.set(ListRow("c", title: "\(name) \(number)"), .last)
            let commit = try stored.list.change(number == 1 ? [.remove("a"), title] : [title])
            try whenFree { try self.commit(commit, facts: facts, to: name) }
        }
        return try load(name)
    }
}

/// Tries until nobody else holds the store.
func whenFree<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
        do { return try body() } catch ListStoreError.busy { sched_yield() }
    }
}

extension KeyedList {
    /// Commits edits that change something.
    mutating func change(_ edits: [Edit], at now: Int64 = 5) throws -> Commit {
        let commit = commit(edits, at: now)
        return try #require(commit, "The edits change nothing.")
    }

    var placed: [PlacedRow] { Array(rows) }
    var keys: [String] { rows.map(\.key.string) }
}

/// Random numbers from a seed (SplitMix64), so that a run that failed can be run again.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
