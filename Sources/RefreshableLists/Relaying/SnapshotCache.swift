import KeyedLists
import WebSockets

/// The snapshots of one list that are in use.
///
/// One serves all who join while the patch since it is smaller than a quarter of it; then they are sent it and that
/// patch. Older ones that are still read are taken back when they become too many.
struct SnapshotCache {
    private var current: Snapshot?
    private var snapshots: SharedBufferLimit
    private var patches: SharedBufferLimit
    /// What those who join now are sent: the current snapshot and the patch since.
    private var joining: FrameBatch?

    /// - Parameter share: bytes that all lists may lend.
    init(of share: MemoryShare) {
        snapshots = SharedBufferLimit(of: share)
        patches = SharedBufferLimit(of: share)
    }

    /// What brings a newcomer to the list as it is.
    mutating func batch(
        for kept: PersistentList, encode: (Patch) -> [[UInt8]], encodeAll: () -> [[UInt8]]
    ) -> FrameBatch {
        if let joining, joining.revision == kept.rows.revision { return joining }
        let batch = batchFromCurrent(kept, encode) ?? replaceCurrent(kept, encodeAll())
        joining = batch
        return batch
    }

    private mutating func batchFromCurrent(_ kept: PersistentList, _ encode: (Patch) -> [[UInt8]]) -> FrameBatch? {
        guard let current, let patch = kept.rows.patch(since: current.revision),
            (patch.set.count + patch.remove.count) * 4 < kept.rows.count
        else { return nil }
        let frames = encode(patch).map(SharedFrame.init(text:))
        let size = frames.reduce(0) { $0 + $1.payloadLength }
        guard size * 4 < current.frames.reduce(0, { $0 + $1.payloadLength }) else { return nil }
        return FrameBatch(
            from: 0, revision: kept.rows.revision, frames: current.frames + frames, snapshot: current,
            revocation: patches.lend(size))
    }

    private mutating func replaceCurrent(_ kept: PersistentList, _ encoded: [[UInt8]]) -> FrameBatch {
        joining = nil
        let frames = encoded.map(SharedFrame.init(text:))
        let snapshot = Snapshot(
            revision: kept.rows.revision, frames: frames,
            revocation: snapshots.lend(frames.reduce(0) { $0 + $1.payloadLength }))
        current = snapshot
        return FrameBatch(from: 0, revision: snapshot.revision, frames: snapshot.frames, snapshot: snapshot)
    }

    /// Forgets them all; those who still read some go on.
    mutating func removeAll() {
        current = nil
        joining = nil
    }
}
