/// A row in its list: with its position, and the revisions that its two halves last changed at.
///
/// The two revisions are what lets a patch leave the fields out of a row that only moved.
public struct PlacedRow: Hashable, Sendable {
    /// What the row is called in its list.
    public var key: Key
    /// What there is to show.
    public var fields: Fields
    /// Where it stands.
    public var position: Position
    /// The revision at which the fields last changed.
    public var fieldsRevision: Revision
    /// The revision at which the position last changed, by a move or to make room for others.
    public var positionRevision: Revision

    /// Makes a placed row; nothing is checked here, but when a list is restored from it.
    public init(
        key: Key, fields: Fields, position: Position, fieldsRevision: Revision, positionRevision: Revision
    ) {
        self.key = key
        self.fields = fields
        self.position = position
        self.fieldsRevision = fieldsRevision
        self.positionRevision = positionRevision
    }

    /// The revision at which anything of it last changed.
    public var revision: Revision { max(fieldsRevision, positionRevision) }

    /// The row without its place.
    public var row: ListRow { ListRow(key: key, fields: fields) }
}

/// Where a row stands in its list: rows are in order of position, and no two of a list share one.
///
/// From 1 to 2^53 − 1, so that JavaScript's numbers hold it exactly. Only the order of positions means anything; the
/// numbers themselves change when a list makes room.
public typealias Position = Int

/// The number of a commit of a list within an epoch: from 0, the empty list before its first commit, to 2^53 − 1.
public typealias Revision = Int
