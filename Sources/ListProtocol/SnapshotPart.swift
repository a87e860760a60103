public import KeyedLists

/// One part of a list's rows, as a client reads it. It holds the parts of one revision until the last, then replaces all
/// it has.
public struct SnapshotPart: Hashable, Sendable {
    /// The list's name.
    public var list: String
    /// The epoch in which the revision is meant.
    public var epoch: Epoch
    /// The revision at which the list has these rows.
    public var revision: Revision
    /// Rows in order of position; each has its fields.
    public var rows: [Patch.Change]
    /// Whether no part follows.
    public var isLast: Bool

    /// Makes a part.
    public init(list: String, epoch: Epoch, revision: Revision, rows: [Patch.Change], isLast: Bool) {
        self.list = list
        self.epoch = epoch
        self.revision = revision
        self.rows = rows
        self.isLast = isLast
    }
}
