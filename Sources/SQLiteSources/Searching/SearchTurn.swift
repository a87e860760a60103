import KeyedLists

/// A time slice of a search, after which others have their turn: it ends once somebody has the rows of their window, or after a
/// while.
struct SearchTurn {
    /// As of lists in memory: Decisions/40.
    private static let least = Duration.milliseconds(50)
    /// To begin has to be worth it: a query without an index sorts the table first.
    private static let timesOfBeginning = 5
    /// The clock is looked at after so many rows.
    private static let rowsAtOnce = 1000

    /// The rows of a window that are not all known yet.
    private let wanted: (first: Int, count: Int)?
    private let began = ContinuousClock.now
    private var patience: Duration
    private var looked = 0

    /// - Parameters:
    ///   - window: nil: nobody waits for one.
    ///   - found: how many rows are known of those that are looked for.
    ///   - patience: how long it is, at least; nil: 50 ms.
    init(for window: Window?, having found: Int, patience: Duration? = nil) {
        self.patience = patience ?? Self.least
        if case .first(let first, let count) = window, found - max(0, first) < count {
            wanted = (max(0, first), count)
        } else {
            wanted = nil
        }
    }

    /// Whether to stop before the next row.
    mutating func isOver(having found: Int) -> Bool {
        if looked == 0 { patience = max(patience, (ContinuousClock.now - began) * Self.timesOfBeginning) }
        looked += 1
        if let wanted, found - wanted.first >= wanted.count { return true }
        return looked.isMultiple(of: Self.rowsAtOnce) && ContinuousClock.now - began > patience
    }
}
