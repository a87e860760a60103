import KeyedLists
import WebSockets

/// An encoded snapshot, shared by all who join while it is not too old.
final class Snapshot: Sendable {
    let revision: Revision
    let frames: [SharedFrame]
    let revocation: Revocation?

    /// - Parameter revocation: nil for one so small that it is never taken back.
    init(revision: Revision, frames: [SharedFrame], revocation: Revocation?) {
        self.revision = revision
        self.frames = frames
        self.revocation = revocation
    }
}
