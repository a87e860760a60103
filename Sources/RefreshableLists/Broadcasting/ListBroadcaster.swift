import KeyedLists
import ListProtocol
import Pulling
import WebSockets

/// Broadcasts one list: it has a feed for each loop with watchers, and encodes frames once for all of them.
struct ListBroadcaster {
    /// A loop's share of the watchers.
    private struct LoopFeedEntry {
        let feed: LoopFeed
        var count = 0
    }

    private var subscriptions: [ObjectIdentifier: LoopFeedEntry] = [:]
    private var cache: SnapshotCache
    private var folds: FoldCache
    /// Patches that were sent to all, and that some still read.
    private var live: SharedBufferLimit
    private let list: String
    private let frameLimit: Int
    private var stateSerial = 0
    private var progressSerial = 0
    private(set) var state: ListStateFrame?
    private(set) var encoded = EncodedPatches()

    /// - Parameter share: bytes that all lists may lend.
    init(list: String, frameLimit: Int, share: MemoryShare) {
        self.list = list
        self.frameLimit = frameLimit
        cache = SnapshotCache(of: share)
        folds = FoldCache(of: share)
        live = SharedBufferLimit(of: share)
    }

    /// How many watch, on all loops.
    var count: Int { subscriptions.values.reduce(0) { $0 + $1.count } }

    mutating func join(_ feed: LoopFeed, at revision: Revision) {
        let id = ObjectIdentifier(feed)
        if subscriptions[id] == nil {
            feed.seed(revision: revision)
            if let state { feed.publish(state) }
        }
        subscriptions[id, default: LoopFeedEntry(feed: feed)].count += 1
    }

    mutating func leave(_ feed: LoopFeed) {
        let id = ObjectIdentifier(feed)
        subscriptions[id]?.count -= 1
        if subscriptions[id]?.count == 0 { subscriptions[id] = nil }
    }

    // MARK: What all are told

    mutating func publish(_ state: ListState, run: RunID?, told: ListStateFrame.Told, revision: Revision) {
        guard let phase = Pull.Phase(rawValue: state.phase.rawValue) else { return }
        stateSerial += 1
        let begun = self.state.flatMap { $0.isLoading && phase == .loading && $0.run == run ? $0.revision : nil }
        let frame = ListStateFrame(
            serial: stateSerial, frame: SharedFrame(text: ServerMessage.state(state).encoded()),
            phase: phase, run: run, told: told, revision: begun ?? revision)
        self.state = frame
        for subscription in subscriptions.values { subscription.feed.publish(frame) }
    }

    mutating func publish(_ progress: RunProgress, of run: RunID) {
        progressSerial += 1
        let message = ServerMessage.progress(
            list: list, run: run.description, completed: progress.completed, total: progress.total, note: progress.note)
        let frame = ProgressFrame(
            serial: progressSerial, run: run, progress: progress, frame: SharedFrame(text: message.encoded()))
        for subscription in subscriptions.values { subscription.feed.publish(frame) }
    }

    mutating func publish(_ patch: Patch, epoch: Epoch, run: RunID?) {
        guard !subscriptions.isEmpty else { return }
        encoded.live += 1
        var batch = batch(patch, epoch: epoch, run: run)
        batch.revocation = live.lend(batch.byteCount)
        for subscription in subscriptions.values { subscription.feed.publish(batch) }
    }

    /// The list has another history: all who watch are sent all of its rows, after the revision that they know.
    mutating func publishAnew(_ kept: PersistentList, after last: Revision) {
        forgetSnapshots()
        guard !subscriptions.isEmpty else { return }
        var batch = snapshot(of: kept)
        batch.from = last
        for subscription in subscriptions.values { subscription.feed.publish(batch) }
    }

    /// The list is another.
    func publish(_ description: ListDescription) {
        guard !subscriptions.isEmpty else { return }
        let frames = WatchRights.all.map { rights in
            (rights, SharedFrame(text: ServerMessage.settings(description.offered(to: rights)).encoded()))
        }
        let delivery = Delivery.redescribed(Dictionary(uniqueKeysWithValues: frames))
        for subscription in subscriptions.values { subscription.feed.deliver(delivery) }
    }

    /// The list was removed: its watches end.
    mutating func dismiss() {
        for subscription in subscriptions.values { subscription.feed.deliver(.removed) }
        subscriptions = [:]
    }

    // MARK: What one watcher is sent first

    /// The patch since a revision, encoded once for all who come from there; the snapshot where that is no longer known, or
    /// would be too much for so few.
    mutating func rows(since base: Revision, of kept: PersistentList, now: Moment) -> FrameBatch {
        if let fold = folds.batch(from: base, to: kept.rows.revision) { return fold }
        guard let patch = kept.rows.patch(since: base), folds.admits(patch, ofRows: kept.rows.count, now: now) else {
            return snapshot(of: kept)
        }
        encoded.folds += 1
        return folds.hold(batch(patch, epoch: kept.epoch, run: nil))
    }

    /// All rows, encoded once for all who join while few have changed since.
    mutating func snapshot(of kept: PersistentList) -> FrameBatch {
        let limit = frameLimit
        let list = list
        var encoded = EncodedPatches()
        defer { self.encoded += encoded }
        return cache.batch(for: kept) { patch in
            encoded.folds += 1
            return Frames.patch(patch, list: list, epoch: kept.epoch, run: nil, limit: limit)
        } encodeAll: {
            encoded.snapshots += 1
            return Frames.snapshot(
                list: list, epoch: kept.epoch, revision: kept.rows.revision, rows: kept.rows.rows, limit: limit)
        }
    }

    /// Frames of an earlier epoch are worth nothing.
    mutating func forgetSnapshots() {
        cache.removeAll()
        folds.removeAll()
    }

    private func batch(_ patch: Patch, epoch: Epoch, run: RunID?) -> FrameBatch {
        let frames = Frames.patch(patch, list: list, epoch: epoch, run: run?.description, limit: frameLimit)
        return FrameBatch(from: patch.from, revision: patch.revision, frames: frames.map(SharedFrame.init(text:)))
    }
}
