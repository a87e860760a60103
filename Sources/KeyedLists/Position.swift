/// Where a row stands in its list: rows are in order of position, and no two of a list share one.
///
/// From 1 to 2^53 − 1, so that JavaScript's numbers hold it exactly. Only the order of positions means anything; the
/// numbers themselves change when a list makes room.
public typealias Position = Int

/// The number of a commit of a list within an epoch: from 0, the empty list before its first commit, to 2^53 − 1.
public typealias Revision = Int
