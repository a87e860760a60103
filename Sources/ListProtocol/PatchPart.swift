public import KeyedLists

/// One part of what changed in a list, as a client reads it. It holds the parts of one patch until the last, then applies
/// them together.
public struct PatchPart: Hashable, Sendable {
    /// The list's name.
    public var list: String
    /// The epoch in which the revisions are meant.
    public var epoch: Epoch
    /// The oldest revision it can be applied to; any from there up to `revision` will do.
    public var from: Revision
    /// The revision it leads to.
    public var revision: Revision
    /// The run whose commit it is; nil for an edit, and for a fold of several commits.
    public var run: String?
    /// Rows that are new, changed or, without fields, only moved.
    public var set: [Patch.Change]
    /// Keys of rows that are gone.
    public var remove: [Key]
    /// How many rows there are afterwards; in the last part alone.
    public var count: Int?
    /// Whether no part follows.
    public var isLast: Bool

    /// Makes a part.
    public init(
        list: String, epoch: Epoch, from: Revision, revision: Revision, run: String? = nil, set: [Patch.Change],
        remove: [Key], count: Int?, isLast: Bool
    ) {
        self.list = list
        self.epoch = epoch
        self.from = from
        self.revision = revision
        self.run = run
        self.set = set
        self.remove = remove
        self.count = count
        self.isLast = isLast
    }
}
