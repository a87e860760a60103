import KeyedLists
import ListStorage

/// What a store remembers of a list that was loaded.
struct LoadedList: Hashable, Sendable {
    /// Its line, as it is in the database.
    var record: ListRecord
    /// Whether the epoch was found in the database, not made by this process.
    var isRestored: Bool
    /// How many run numbers people may have heard of, kept or not.
    var runs: Int
    /// Whether tombstones of the floor and before may still be in the database.
    private var hasForgotten = true

    /// A list as it was read; clients have already seen `runs`.
    init(_ record: ListRecord, isRestored: Bool, runs: Int = 0) {
        self.record = record
        self.isRestored = isRestored
        self.runs = max(runs, record.facts.runs)
    }

    /// It is at a commit whose rows were written.
    mutating func take(_ commit: Commit, _ facts: StoredFacts, _ writer: inout CommitWriter) throws {
        if commit.floor > record.floor || hasForgotten {
            hasForgotten = try !writer.forget(upTo: commit.floor, Self.forgottenAtOnce)
        }
        record.revision = commit.revision
        record.floor = commit.floor
        try writer.keep(facts)
        take(facts)
        record.sum = writer.sum
        runs = max(runs, facts.runs)
    }

    /// Takes facts whose additions were written.
    mutating func take(_ facts: StoredFacts) { record.facts = facts.withoutAdditions }

    /// How many tombstones are deleted with one commit: as many as take a few milliseconds.
    private static let forgottenAtOnce = 1000

    /// What it adds to the mark's tally.
    var tally: Int { record.tally }

    /// What it adds to what the mark says is owed.
    var owed: Int { runs - record.facts.runs }
}
