public import KeyedLists

/// What another program wants changed in a list, in a patch's own words:
///
///     {"set":[{"key":"k","fields":{…},"before":"other"}],"remove":["z"]}
///
/// A key is in it once. The rows are set in their order, each finding what those before it left; then others are removed.
public struct PushRequest: Hashable, Sendable {
    /// A row to insert, to change, or only to move.
    public struct Change: Hashable, Sendable {
        /// The row's key.
        public var key: Key
        /// Nil: the row is there, and keeps the fields that it has.
        public var fields: Fields?
        /// Where it is to stand.
        public var place: Place

        /// Makes a change.
        public init(key: Key, fields: Fields? = nil, place: Place = .kept) {
            self.key = key
            self.fields = fields
            self.place = place
        }
    }

    /// Rows to insert, change or move.
    public var set: [Change]
    /// Keys of rows to take away; those that are not there count as done.
    public var remove: [Key]

    /// Makes a push.
    public init(set: [Change] = [], remove: [Key] = []) {
        self.set = set
        self.remove = remove
    }
}
