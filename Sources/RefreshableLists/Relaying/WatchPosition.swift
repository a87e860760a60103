import KeyedLists

/// How far somebody who watches a list has been told of it: the revision of the rows, and the serial numbers of the newest
/// state and the newest progress.
struct WatchPosition: Hashable, Sendable {
    var revision: Revision = 0
    var state = 0
    var progress = 0
}
