import KeyedLists

/// What a store remembers of a list that was loaded.
struct LoadedList: Hashable, Sendable {
    /// Its line in the database; nil until its first write, for loading writes nothing.
    var id: Int64?
    var epoch: Epoch
    /// Whether the epoch was found in the database, not made by this process.
    var isRestored: Bool
    var revision: Revision = 0
    var floor: Revision = 0
    /// The most run numbers that were used, kept or not.
    var runs = 0

    /// What it adds to the mark's tally.
    var tally: Int { revision + runs }

    /// A list that was not written yet.
    init(epoch: Epoch, isRestored: Bool) {
        self.epoch = epoch
        self.isRestored = isRestored
    }

    /// A list that was read; of `runs` people have heard before.
    init(_ record: ListRecord, isRestored: Bool, runs: Int) {
        id = record.id
        epoch = record.epoch
        self.isRestored = isRestored
        revision = record.revision
        floor = record.floor
        self.runs = max(runs, record.facts.runs)
    }
}
