import KeyedLists
import WebSockets

/// The snapshots of one list that are in use.
///
/// One serves all who join while the patch since it is smaller than a quarter of it; then they are sent it and that
/// patch. At most four are held: whoever still reads an older one is too slow.
struct SnapshotShelf {
    private static let capacity = 4

    private struct Reader {
        weak var snapshot: Snapshot?
    }

    private var current: Snapshot?
    private var older: [Reader] = []
    /// What those who join now are sent: the current snapshot and the patch since.
    private var joining: FrameBatch?

    /// What brings a newcomer to the list as it is.
    mutating func batch(
        for kept: KeptList, encode: (Patch) -> [[UInt8]], encodeAll: () -> [[UInt8]]
    ) -> FrameBatch {
        if let joining, joining.revision == kept.rows.revision { return joining }
        let batch = batchFromCurrent(kept, encode) ?? replaceCurrent(kept, encodeAll())
        joining = batch
        return batch
    }

    private func batchFromCurrent(_ kept: KeptList, _ encode: (Patch) -> [[UInt8]]) -> FrameBatch? {
        guard let current, let patch = kept.rows.patch(since: current.revision),
            (patch.set.count + patch.remove.count) * 4 < kept.rows.count
        else { return nil }
        let frames = encode(patch).map(SharedFrame.init(text:))
        let size = frames.reduce(0) { $0 + $1.payloadLength }
        guard size * 4 < current.frames.reduce(0, { $0 + $1.payloadLength }) else { return nil }
        return FrameBatch(
            from: 0, revision: kept.rows.revision, frames: current.frames + frames, snapshot: current)
    }

    private mutating func replaceCurrent(_ kept: KeptList, _ encoded: [[UInt8]]) -> FrameBatch {
        if let current { older.append(Reader(snapshot: current)) }
        joining = nil
        let snapshot = Snapshot(revision: kept.rows.revision, frames: encoded.map(SharedFrame.init(text:)))
        current = snapshot
        older.removeAll { $0.snapshot == nil }
        while older.count >= Self.capacity { older.removeFirst().snapshot?.revoke() }
        return FrameBatch(from: 0, revision: snapshot.revision, frames: snapshot.frames, snapshot: snapshot)
    }
}
