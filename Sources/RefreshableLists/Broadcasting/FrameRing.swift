import KeyedLists
import WebSockets

/// The newest patches of a list, each beginning where the one before it ends: as many as a watcher may be sent one after
/// the other, and up to a mebibyte.
struct FrameRing: Sendable {
    static let capacity = 1 << 20
    /// One for a window: whoever is behind is sent the window, which is not much larger.
    static let ofWindow = FrameRing(capacity: 1 << 16)
    /// Whoever is further behind is better served by one fold than by so many frames.
    static let reach = 32

    private let capacity: Int
    private var batches: [FrameBatch] = []
    private var byteCount = 0
    /// The revision that the newest batch leads to; 0 before the first.
    private(set) var revision: Revision = 0

    /// - Parameter capacity: bytes at most.
    init(capacity: Int = FrameRing.capacity) { self.capacity = capacity }

    var isEmpty: Bool { batches.isEmpty }

    /// Begins at a revision whose frames are not here.
    mutating func seed(_ revision: Revision) { self.revision = max(self.revision, revision) }

    mutating func append(_ batch: FrameBatch) {
        assert(batch.revision > batch.from, "Frames lead from revision \(batch.from) to \(batch.revision).")
        // Whoever is there would be sent it for ever.
        guard batch.revision > batch.from else { return }
        if batch.from != revision { removeAll() }
        batches.append(batch)
        byteCount += batch.byteCount
        revision = batch.revision
        trim()
    }

    mutating func append(_ other: FrameRing) {
        for batch in other.batches { append(batch) }
        revision = max(revision, other.revision)
    }

    /// The patch since `base`, if the ring still has it.
    func batch(from base: Revision) -> FrameBatch? {
        guard let first = batches.first, base >= first.from, base < revision else { return nil }
        var low = 0
        var high = batches.count
        while low < high {
            let middle = (low + high) / 2
            if batches[middle].from < base { low = middle + 1 } else { high = middle }
        }
        return low < batches.count && batches[low].from == base ? batches[low] : nil
    }

    private mutating func removeAll() {
        batches.removeAll()
        byteCount = 0
    }

    private mutating func trim() {
        var excess = 0
        while excess < batches.count, byteCount > capacity || batches.count - excess > Self.reach {
            byteCount -= batches[excess].byteCount
            excess += 1
        }
        batches.removeFirst(excess)
    }
}

/// The frames that bring a watcher from one revision to another. They are sent next to each other.
struct FrameBatch: Sendable {
    var from: Revision
    var revision: Revision
    var frames: [SharedFrame]
    /// The snapshot that these frames hold, if they do.
    var snapshot: Snapshot?
    /// Of the frames beside it, where they are more than a few.
    var revocation: Revocation?

    /// Whether it was evicted while a client still read it: that client is too slow.
    var isRevoked: Bool { snapshot?.revocation?.isRevoked ?? false || revocation?.isRevoked ?? false }

    /// Bytes that count as its reader's own: those that are too few to be taken back.
    var ownSize: Int {
        let lent = snapshot?.revocation == nil ? 0 : snapshot?.frames.reduce(0) { $0 + $1.payloadLength } ?? 0
        return revocation == nil ? byteCount - lent : 0
    }

    var byteCount: Int { frames.reduce(0) { $0 + $1.payloadLength } }
}
