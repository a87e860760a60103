import KeyedLists
import WebSockets

/// The frames that bring a watcher from one revision to another. They are sent next to each other.
struct FrameBatch: Sendable {
    var from: Revision
    var revision: Revision
    var frames: [SharedFrame]
    /// The snapshot that these frames hold, if they do.
    var snapshot: Snapshot?
    /// Of the frames beside it, where they are more than a few.
    var revocation: Revocation?

    /// Whether it was given up while somebody still read it: that reader is too slow.
    var isRevoked: Bool { snapshot?.revocation?.isRevoked ?? false || revocation?.isRevoked ?? false }

    /// Bytes that count as its reader's own: those that are too few to be taken back.
    var ownSize: Int {
        let lent = snapshot?.revocation == nil ? 0 : snapshot?.frames.reduce(0) { $0 + $1.payloadLength } ?? 0
        return revocation == nil ? byteCount - lent : 0
    }

    var byteCount: Int { frames.reduce(0) { $0 + $1.payloadLength } }
}
