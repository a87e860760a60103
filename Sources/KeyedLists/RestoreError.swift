/// Why no list can be made of what a store, or a snapshot, holds.
public enum RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Revision and floor are not 0 ≤ floor ≤ revision < 2^53.
    case revisions(floor: Revision, revision: Revision)
    /// The key is there twice, as rows or tombstones.
    case duplicateKey(Key)
    /// Two rows have this position.
    case duplicatePosition(Position, Key, Key)
    /// The position is not between 0 and 2^53.
    case position(Position, Key)
    /// The row's or tombstone's revision is below 1 or above that of the list.
    case revision(Revision, Key)
    /// A row of a snapshot has no fields.
    case missingFields(Key)

    /// What we tried, what happened, and what to do.
    public var description: String {
        "Cannot restore the list: \(reason). Its history can't be trusted: start it anew, in a new epoch."
    }

    private var reason: String {
        switch self {
        case .revisions(let floor, let revision):
            "floor \(floor) and revision \(revision) are not 0 ≤ floor ≤ revision < 2^53"
        case .duplicateKey(let key):
            "the key \"\(key)\" is there twice"
        case .duplicatePosition(let position, let first, let second):
            "the rows \"\(first)\" and \"\(second)\" are both at position \(position)"
        case .position(let position, let key):
            "the row \"\(key)\" is at position \(position), not between 0 and 2^53"
        case .revision(let revision, let key):
            "\"\(key)\" is of revision \(revision), which is below 1 or above the list's own"
        case .missingFields(let key):
            "the row \"\(key)\" has no fields"
        }
    }
}
