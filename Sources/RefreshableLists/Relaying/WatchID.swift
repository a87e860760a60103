/// Finds the watch again that an answer is for.
struct WatchID: Hashable, Sendable {
    var socket: UInt64
    /// Grows with each `watch` message of a connection, so that an answer to an earlier one is not taken for this one's.
    var serial: Int
}
