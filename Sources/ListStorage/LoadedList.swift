import KeyedLists

/// What a store remembers of a list that was loaded.
struct LoadedList: Hashable, Sendable {
    /// Its line, as it is in the database.
    var record: ListRecord
    /// Whether the epoch was found in the database, not made by this process.
    var isRestored: Bool
    /// The most run numbers that were used, kept or not.
    var runs: Int
    /// Why it can't be read, where its rows or its line are damaged: then it is not looked at again before the file is
    /// another.
    var damage: ListStoreError?

    /// A list as it was read; of `runs` people have heard before.
    init(_ record: ListRecord, isRestored: Bool, runs: Int = 0) {
        self.record = record
        self.isRestored = isRestored
        self.runs = max(runs, record.facts.runs)
    }

    /// What it adds to the mark's tally.
    var tally: Int { record.revision + runs }
}
