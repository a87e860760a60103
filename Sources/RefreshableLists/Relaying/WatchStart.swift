import KeyedLists

/// The start of a watch: where it begins, and what it is sent first.
struct WatchStart: Sendable {
    var watch: WatchID
    /// Of the `watch` message, which gets one answer.
    var messageID: String?
    /// The answer to the `watch` message.
    var ok: [UInt8]
    /// The rows that follow: a snapshot, a patch, both, or nothing.
    var rows: FrameBatch?
    /// Where the watcher is after those rows.
    var revision: Revision
}
