public import KeyedLists

/// A point in a list's history: a revision, and the epoch in which it counts.
///
/// Written `epoch:revision`, as in the entity tags of `GET /lists/NAME` and in `If-Match`.
public struct ListRevision: Hashable, Sendable, CustomStringConvertible {
    /// The unbroken history that `revision` is a number of.
    public var epoch: Epoch
    /// Grows by one with each change.
    public var revision: Revision

    /// Makes a point of its two halves.
    public init(epoch: Epoch, revision: Revision) {
        self.epoch = epoch
        self.revision = revision
    }

    /// `k3f0a:418`.
    public var description: String { "\(epoch):\(revision)" }
}
