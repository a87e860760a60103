/// What turns the rows of one revision, or of any later one, into those of another.
///
/// Values are absolute, so applying a patch twice, or to a list newer than `from`, is harmless. A key is in `set` or in
/// `remove`, never in both.
public struct Patch: Hashable, Sendable {
    /// A row that was inserted, changed or moved.
    public struct Change: Hashable, Sendable {
        /// What the row is called.
        public var key: Key
        /// Where it stands afterwards.
        public var position: Position
        /// What it shows afterwards; `nil` if that is the same as at `from`.
        public var fields: Fields?

        /// Makes a change; without fields it only moves a row that is known.
        public init(key: Key, position: Position, fields: Fields? = nil) {
            self.key = key
            self.position = position
            self.fields = fields
        }
    }

    /// The oldest revision that this patch can be applied to.
    public var from: Revision
    /// The revision that it leads to.
    public var revision: Revision
    /// The rows to put in place, in order of position.
    public var set: [Change]
    /// The keys of the rows to take away; some may be unknown to a client, who then ignores them.
    public var remove: [Key]
    /// How many rows there are afterwards.
    public var count: Int

    /// Makes a patch; nothing is checked here, but when it is applied.
    public init(from: Revision, revision: Revision, set: [Change] = [], remove: [Key] = [], count: Int) {
        self.from = from
        self.revision = revision
        self.set = set
        self.remove = remove
        self.count = count
    }

    /// Whether it says nothing but a revision.
    public var isEmpty: Bool { self.set.isEmpty && remove.isEmpty }
}
