import KeyedLists
import WebSockets

/// The frames that bring a watcher from one revision to another. They are sent next to each other.
struct FrameBatch: Sendable {
    var from: Revision
    var revision: Revision
    var frames: [SharedFrame]
    /// The snapshot that these frames hold, if they do: it can be taken back.
    var snapshot: Snapshot?

    var byteCount: Int { frames.reduce(0) { $0 + $1.payloadLength } }
}
