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

/// The snapshots of one list that are in use.
///
/// One serves all who join while the patch since it is smaller than a quarter of it; then they are sent it and that
/// patch. Older ones that are still read are taken back when they become too many.
struct SnapshotCache {
    private var current: Snapshot?
    private var snapshots: SharedBufferLimit
    private var patches: SharedBufferLimit
    /// The frames for new watchers: the current snapshot and the patch since.
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

    /// Drops them all; clients that still read some are not interrupted.
    mutating func removeAll() {
        current = nil
        joining = nil
    }
}

/// The folds of one list: what leads those who come back, or fell behind, from where they were to the newest commit. All who
/// come from one revision share one encoding; the newest four are kept for that.
///
/// A fold serves whoever is at its base, and often that is one reader. So it is made only where it is small, or well below a
/// snapshot, which all share; where room is left among those that slow readers still hold; and where the list has time for
/// one more. Everybody else is sent the snapshot.
struct FoldCache {
    private static let capacity = 4
    /// Rows that folds of one list may have in a second, and at once: some hundredth of a processor.
    private static let pace = (rate: 20_000, burst: 40_000)

    private var batches: [FrameBatch] = []
    private var sharedBuffers: SharedBufferLimit
    private var bucket: TokenBucket?

    /// - Parameter share: bytes that all lists may lend.
    init(of share: MemoryShare) { sharedBuffers = SharedBufferLimit(of: share) }

    /// What leads from `base` to `revision`, if it is here.
    func batch(from base: Revision, to revision: Revision) -> FrameBatch? {
        batches.first { $0.from == base && $0.revision == revision }
    }

    /// Whether a patch is to be encoded for the watchers at its base.
    mutating func admits(_ patch: Patch, ofRows count: Int, now: Moment) -> Bool {
        let size = patch.size
        guard size > SharedBufferLimit.small else { return true }
        let rows = patch.set.count + patch.remove.count
        guard rows * 4 < count, sharedBuffers.haveRoom(for: size) else { return false }
        var bucket = bucket ?? TokenBucket(rate: Self.pace.rate, burst: Self.pace.burst, now: now)
        defer { self.bucket = bucket }
        return bucket.take(Double(rows), now: now)
    }

    /// Stores a fold to the newest revision; those to earlier ones are obsolete.
    mutating func hold(_ batch: FrameBatch) -> FrameBatch {
        var batch = batch
        batch.revocation = sharedBuffers.lend(batch.byteCount)
        batches.removeAll { $0.revision != batch.revision }
        if batches.count == Self.capacity { batches.removeFirst() }
        batches.append(batch)
        return batch
    }

    /// Drops them all; clients that still read some are not interrupted.
    mutating func removeAll() { batches = [] }
}

extension Patch {
    /// About as many bytes as it has encoded.
    fileprivate var size: Int {
        self.set.reduce(0) { $0 + $1.key.string.utf8.count + ($1.fields?.bytes.count ?? 0) + 32 }
            + remove.reduce(0) { $0 + $1.string.utf8.count + 4 }
    }
}
