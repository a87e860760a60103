/// What the rows of a finished run are to a list.
struct Match {
    enum Target {
        /// There is a row of that key, in this slot.
        case row(Int)
        /// There is its tombstone, in this slot.
        case tombstone(Int)
        /// There is neither; its key has this hash.
        case missing(KeyIndex.Hash)
        /// It is to be left alone.
        case spared
    }

    private(set) var targets: [Target] = []
    /// The positions of the rows that are there, in the order of the run.
    private(set) var positions: [Position] = []
    /// Whether they increase already.
    private(set) var isOrdered = true
    /// How many rows are to be inserted.
    private(set) var missing = 0
    /// For each slot, whether its key came.
    private(set) var isSeen: [Bool]

    init(rows: Int, slots: Int) {
        targets.reserveCapacity(rows)
        positions.reserveCapacity(rows)
        isSeen = [Bool](repeating: false, count: slots)
    }

    /// How many rows are there and not spared.
    var kept: Int { positions.count }

    /// Whether nothing needs a new place.
    var isInPlace: Bool { isOrdered && missing == 0 }

    /// Marks a slot as seen; returns whether it is the first time.
    mutating func see(_ slot: Int) -> Bool {
        guard !isSeen[slot] else { return false }
        isSeen[slot] = true
        return true
    }

    mutating func append(_ slot: Int, at position: Position) {
        if let last = positions.last, last > position { isOrdered = false }
        positions.append(position)
        targets.append(.row(slot))
    }

    mutating func appendMissing(_ tombstone: Int?, _ hash: KeyIndex.Hash) {
        missing += 1
        targets.append(tombstone.map { .tombstone($0) } ?? .missing(hash))
    }

    mutating func appendSpared() {
        targets.append(.spared)
    }
}
