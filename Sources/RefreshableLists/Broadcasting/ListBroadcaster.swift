import KeyedLists
import ListProtocol
import ListSources
import Pulling
import WebSockets

/// Broadcasts one list to all who watch it or a window of it, and encodes frames once for all who are to have the same.
struct ListBroadcaster {
    /// Those who watch the whole list.
    private var watchers = LoopWatchers()
    var views: ListViews
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
    /// The newest revision that anybody was told in an earlier epoch, before 0 if in none: one up to there may be of that epoch.
    private var newestFormerRevision: Revision = -1

    /// - Parameter share: bytes that all lists may lend.
    init(list: String, frameLimit: Int, share: MemoryShare) {
        self.list = list
        self.frameLimit = frameLimit
        views = ListViews(list: list, frameLimit: frameLimit)
        cache = SnapshotCache(of: share)
        folds = FoldCache(of: share)
        live = SharedBufferLimit(of: share)
    }

    /// How many watch, on all loops.
    var count: Int { watchers.count + views.count }

    /// Whether somebody watches a window.
    var hasWindows: Bool { !views.isEmpty }

    mutating func join(_ feed: LoopFeed, at revision: Revision) {
        _ = watchers.join(on: feed) {
            feed.seed(revision: revision)
            if let state { feed.publish(state) }
            return feed
        }
    }

    /// Somebody watches no more, on a loop with this feed of the whole list, or of a window.
    mutating func leave(_ watch: WatchID?, _ feed: LoopFeed) {
        if let watch, views.leave(watch) { return }
        _ = watchers.leave(on: feed)
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
        for feed in watchers.feeds { feed.publish(frame) }
        views.publish(frame)
    }

    mutating func publish(_ progress: RunProgress, of run: RunID) {
        progressSerial += 1
        let message = ServerMessage.progress(
            list: list, run: run.description, completed: progress.completed, total: progress.total, note: progress.note)
        let frame = ProgressFrame(
            serial: progressSerial, run: run, progress: progress, frame: SharedFrame(text: message.encoded()))
        for feed in watchers.feeds { feed.publish(frame) }
        views.publish(frame)
    }

    mutating func publish(_ commit: Commit, of kept: PersistentList, by run: RunID?) {
        publish(commit.patch, epoch: kept.epoch, run: run)
        views.follow(commit, of: kept, by: run)
    }

    /// Something else has changed the list.
    ///
    /// - Parameter former: where the rows of the patch were before; nil where nobody knows.
    mutating func publish(_ patch: Patch, of kept: PersistentList, from former: [Key: Position]?) {
        guard !patch.isEmpty else { return }
        publish(patch, epoch: kept.epoch, run: nil)
        views.follow(patch, of: kept, from: former)
    }

    private mutating func publish(_ patch: Patch, epoch: Epoch, run: RunID?) {
        guard !watchers.isEmpty else { return }
        encoded.live += 1
        var batch = batch(patch, epoch: epoch, run: run)
        batch.revocation = live.lend(batch.byteCount)
        for feed in watchers.feeds { feed.publish(batch) }
    }

    /// The list has another history: all who watch are sent all of its rows, after the revision that they know.
    mutating func publishAnew(_ kept: PersistentList, after last: Revision) {
        newestFormerRevision = max(newestFormerRevision, last)
        forgetSnapshots()
        views.renew(kept)
        guard !watchers.isEmpty else { return }
        var batch = snapshot(of: kept)
        batch.from = last
        for feed in watchers.feeds { feed.publish(batch) }
    }

    /// The list is another.
    func publish(_ description: ListDescription) {
        let frames = WatchRights.all.map { rights in
            (rights, SharedFrame(text: ServerMessage.settings(description.offered(to: rights)).encoded()))
        }
        deliver(.redescribed(Dictionary(uniqueKeysWithValues: frames)))
    }

    /// The list was removed: its watches end.
    mutating func dismiss() {
        deliver(.removed)
        watchers = LoopWatchers()
        views = ListViews(list: list, frameLimit: frameLimit)
    }

    private func deliver(_ delivery: Delivery) {
        for feed in watchers.feeds { feed.deliver(delivery) }
        views.deliver(delivery)
    }

    // MARK: Windows

    /// Looks for rows, or goes on to; see `ListViews`.
    mutating func search(_ query: RowQuery, of kept: PersistentList, atMost count: Int) -> Bool {
        views.search(query, of: kept, atMost: count)
    }

    /// All that a query wants was found; see `ListViews`.
    mutating func finish(_ query: RowQuery, of kept: PersistentList) -> [ListWindows.Moved] {
        views.finish(query, of: kept, state: state)
    }

    /// More was read of a window of which somebody sees what was found first; see `SourceWindows`.
    mutating func finish(
        _ read: WindowRows, for view: ListView, of kept: PersistentList, at now: Int64
    ) throws(DuplicateKey) -> [ListWindows.Moved] {
        try views.sourced.finish(read, for: view, of: kept, at: now, state: state)
    }

    /// Nobody waits for what a query finds any more.
    mutating func dropUnused(_ query: RowQuery) { views.dropUnused(query) }

    /// Somebody who watches the list, or a window of it, looks at this from now on; nil where it is
    /// around a row that is not there.
    ///
    /// - Parameter isSourced: whether the source was asked for it.
    mutating func look(
        at view: ListView, _ watch: WatchID, knowing known: ListWindows.Known, of kept: PersistentList,
        isSourced: Bool = false, on feed: LoopFeed
    ) -> ListWindows.Start? {
        let watchesAll = !views.contains(watch)
        // Whoever has rows of an earlier epoch may not have heard of this one yet.
        let isFormer = known.revision.map { $0 <= newestFormerRevision } ?? false
        let known = isFormer ? .nothing : known
        let begun =
            isSourced
            ? views.sourced.look(at: view, watch, knowing: known, of: kept, on: feed, state: state)
            : views.look(at: view, watch, knowing: known, of: kept, on: feed, state: state)
        if begun != nil, watchesAll { _ = watchers.leave(on: feed) }
        return begun
    }

    /// Somebody looks at some of the first rows of a list that is being read; see `ListViews`.
    mutating func look(
        at window: Window, _ watch: WatchID, knowing known: ListWindows.Known, ofHead head: WindowedList,
        on feed: LoopFeed
    ) -> ListWindows.Start? {
        let watchesAll = !views.contains(watch)
        let begun = views.look(at: window, watch, knowing: known, ofHead: head, on: feed, state: state)
        if begun != nil, watchesAll { _ = watchers.leave(on: feed) }
        return begun
    }

    /// The list was read; see `ListViews`.
    mutating func leaveHead(for kept: PersistentList) -> [ListWindows.Moved] {
        views.leaveHead(for: kept, state: state)
    }

    /// The digest of the window that somebody looks at; nil where they watch the whole list.
    func digest(for watch: WatchID, of kept: PersistentList) -> OK? { views.digest(for: watch, of: kept) }

    /// What leads those of a feed who are behind its frames to the newest.
    mutating func rows(for feed: LoopFeed, since base: Revision, of kept: PersistentList, now: Moment) -> FrameBatch {
        views.snapshot(for: feed, of: kept) ?? rows(since: base, of: kept, now: now)
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
