import KeyedLists
import WebSockets

/// An encoded snapshot, shared by all who join while it is not too old.
final class Snapshot: Sendable {
    let revision: Revision
    let frames: [SharedFrame]
    private let revoked = Locked(false)

    init(revision: Revision, frames: [SharedFrame]) {
        self.revision = revision
        self.frames = frames
    }

    /// Whether it was given up while somebody still read it: that reader is too slow.
    var isRevoked: Bool { revoked.withLock { $0 } }
    func revoke() { revoked.withLock { $0 = true } }
}
