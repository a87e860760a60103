/// What is left of a removed row, so that those who still show it can be told.
public struct Tombstone: Hashable, Sendable {
    /// The key of the row.
    public var key: Key
    /// The revision at which the row was removed.
    public var revision: Revision
    /// When it was removed, in milliseconds since 1970: what pruning by age goes by.
    public var removedAt: Int64

    /// Makes a tombstone; nothing is checked here, but when a list is restored from it.
    public init(key: Key, revision: Revision, removedAt: Int64) {
        self.key = key
        self.revision = revision
        self.removedAt = removedAt
    }
}
