import KeyedLists
import ListProtocol
import ListStorage
import WebSockets

/// What windows lie on: the rows of a list, or those that a query wants of it.
struct WindowedList {
    let rows: KeyedList
    let epoch: Epoch
    /// The list's.
    let revision: Revision
    /// The list itself; nil where these are its rows.
    private let list: KeyedList?
    /// Where these rows lie in the list; nil where a window is counted among them.
    private let place: WindowPlace?
    /// Whether there may be more rows, which are looked for.
    private let isSearching: Bool
    /// How many rows the list has, where these are only the first.
    private var total: Int?

    /// All rows of a list.
    init(_ kept: PersistentList) {
        (rows, epoch, revision, list, place) = (kept.rows, kept.epoch, kept.rows.revision, nil, nil)
        isSearching = false
    }

    /// The first rows of a list that is being read.
    init(_ head: ListHead) throws(RestoreError) {
        rows = try KeyedList(revision: head.revision, floor: head.revision, rows: head.rows, tombstones: [])
        (epoch, revision, list, place) = (head.epoch, head.revision, nil, nil)
        (isSearching, total) = (true, head.count)
    }

    /// Rows of a list that have revisions of their own.
    init(_ rows: KeyedList, of kept: PersistentList, at place: WindowPlace? = nil, isSearching: Bool = false) {
        (self.rows, epoch, revision, list) = (rows, kept.epoch, kept.rows.revision, kept.rows)
        (self.place, self.isSearching) = (place, isSearching)
    }

    /// Where a window lies.
    func place(of view: WindowView) -> WindowPlace {
        var place = place ?? view.place
        if let total { place.total = total }
        if isSearching { place.isSearching = true }
        return place
    }

    /// The revision of the list at which a row last changed.
    func revision(of row: PlacedRow) -> Revision { list.map { $0[row.key]?.revision ?? .max } ?? row.revision }
}

/// The windows of one list that are watched. Those who look at the same rows share a window, which goes on with the list as a list
/// of its own: its frames are encoded once for all of them.
///
///     list at 418     ────────────────────────────────────────────
///     windows         ├─ 0 ─┤        ├──── 7 ────┤      ├─ 12 ─┤
///     revision of       418               411              402        the last commit that each was told of
///
/// A commit that changes nothing in a window, and nothing of where it lies, is not told there. So its revision stays what it is.
struct ListWindows {
    private struct SharedWindow {
        var view: WindowView
        /// Where it lies, as all who look know.
        var place: WindowPlace
        /// Of the newest frame that went to all who look.
        var revision: Revision
        var watchers = LoopWatchers()
        /// The rows for whoever comes, encoded, until they change.
        var snapshot: FrameBatch?
    }

    /// Commits of one transaction, of which the list has the last already.
    private struct Unfollowed {
        let since: Revision
        /// Where the rows that they have touched were before the first of them.
        private(set) var positions: [Key: Position] = [:]
        private var touched: Set<Key> = []

        init(since: Revision) { self.since = since }

        mutating func append(_ commit: Commit) {
            let keys = commit.rows.map(\.key) + commit.tombstones.map(\.key)
            for (key, position) in zip(keys, commit.formerPositions) where touched.insert(key).inserted {
                positions[key] = position
            }
        }
    }

    /// What somebody who begins to look at a window is sent first, and by which feed they are told of what follows.
    struct Start {
        let feed: LoopFeed
        let rows: FrameBatch
        let revision: Revision
        let count: Int
        let place: WindowPlace
        /// The newest state of the list.
        let state: Int
    }

    /// Somebody who saw what was found first, and sees all of it now.
    struct Moved {
        let watch: WatchID
        let start: Start
        /// Their loop's.
        let feed: LoopFeed
    }

    /// The rows of a window that somebody has already.
    enum Known {
        /// None.
        case nothing
        /// Those that are no newer than a revision, as far as they were in the window that they come back to.
        case since(Revision)
        /// All that their window has, if it is at this revision.
        case window(at: Revision)
        /// These, as they are.
        case rows(KeyedList)

        /// At which revision somebody has them.
        var revision: Revision? {
            switch self {
            case .nothing, .rows: nil
            case .since(let revision), .window(let revision): revision
            }
        }
    }

    private var windows: [Int: SharedWindow] = [:]
    private var newest = 0
    /// Who looks where, and by which loop. Whoever was moved there may not have heard of it: nobody knows which rows they have.
    private var watches: [WatchID: (window: Int, loop: LoopFeed, wasMoved: Bool)] = [:]
    /// Windows by their feeds.
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// Windows by what they are, so that whoever looks at the same joins; nil once a commit has moved them.
    private var byView: [WindowView: Int]? = [:]
    private var unfollowed: Unfollowed?
    private let name: String
    private let frameLimit: Int

    init(list: String, frameLimit: Int) {
        self.name = list
        self.frameLimit = frameLimit
    }

    var isEmpty: Bool { windows.isEmpty }
    /// How many look at some window.
    var count: Int { watches.count }
    /// Those who look, each with the feed of their loop.
    var loops: [WatchID: LoopFeed] { watches.mapValues(\.loop) }
    /// Whether somebody looks at some window.
    func contains(_ watch: WatchID) -> Bool { watches[watch] != nil }

    // MARK: Who looks

    /// Somebody looks at a window, and no more at the one before.
    ///
    /// - Parameters:
    ///   - known: what they have of it.
    ///   - loop: their loop's feed of the whole list.
    ///   - state: the list's, for the first on a loop.
    /// - Returns: nil where the window is around a row that is not there; then nothing is changed.
    mutating func look(
        at window: Window, _ watch: WatchID, knowing known: Known, of list: WindowedList, on loop: LoopFeed,
        state: ListStateFrame?
    ) -> Start? {
        guard let view = WindowView(window, of: list.rows) else { return nil }
        let known = watches[watch]?.wasMoved == true ? .nothing : known
        let former = watches[watch].flatMap { windows[$0.window] }.map { ($0.view, $0.revision) }
        let number = number(of: view, of: list)
        guard var shared = windows[number] else { return nil }
        let feed = shared.watchers.join(on: loop) {
            let feed = LoopFeed(besides: loop)
            feed.seed(revision: shared.revision)
            if let state { feed.publish(state.after(shared.revision)) }
            return feed
        }
        numbers[ObjectIdentifier(feed)] = number
        let rows = snapshot(of: &shared, of: list, without: known.rows(of: list, former: former))
        windows[number] = shared
        leave(watch)
        watches[watch] = (number, loop, wasMoved: false)
        return Start(
            feed: feed, rows: rows, revision: shared.revision, count: shared.view.count, place: shared.place,
            state: state?.serial ?? 0)
    }

    /// All look at windows of other rows.
    ///
    /// - Parameter window: what they look at.
    mutating func moveAll(
        to windows: inout ListWindows, of list: WindowedList, state: ListStateFrame?, window: (WatchID) -> Window?
    ) -> [Moved] {
        var moved: [Moved] = []
        for (watch, (_, loop, _)) in watches {
            guard let window = window(watch),
                let start = windows.look(at: window, watch, knowing: .nothing, of: list, on: loop, state: state)
            else { continue }
            windows.watches[watch]?.wasMoved = true
            leave(watch)
            moved.append(Moved(watch: watch, start: start, feed: loop))
        }
        return moved
    }

    private mutating func number(of view: WindowView, of list: WindowedList) -> Int {
        if byView == nil { byView = Dictionary(windows.map { ($1.view, $0) }) { first, _ in first } }
        if let known = byView?[view] { return known }
        newest += 1
        windows[newest] = SharedWindow(view: view, place: list.place(of: view), revision: list.revision)
        byView?[view] = newest
        return newest
    }

    /// The newest revision that somebody was told of; nil where they look at no window, or may not have heard of it.
    func revision(of watch: WatchID) -> Revision? {
        watches[watch].flatMap { $0.wasMoved ? nil : windows[$0.window]?.revision }
    }

    /// Somebody looks at nothing any more; false where they did not.
    @discardableResult mutating func leave(_ watch: WatchID) -> Bool {
        guard let (number, loop, _) = watches.removeValue(forKey: watch) else { return false }
        if let feed = windows[number]?.watchers.leave(on: loop) {
            numbers[ObjectIdentifier(feed)] = nil
            feed.finish()
        }
        if let window = windows[number], window.watchers.isEmpty {
            windows[number] = nil
            byView?[window.view] = nil
        }
        return true
    }

    // MARK: What they are told

    func publish(_ state: ListStateFrame) {
        for window in windows.values {
            let state = state.after(window.revision)
            for feed in window.watchers.feeds { feed.publish(state) }
        }
    }

    func publish(_ progress: ProgressFrame) {
        for window in windows.values { for feed in window.watchers.feeds { feed.publish(progress) } }
    }

    func deliver(_ delivery: Delivery) {
        for window in windows.values { for feed in window.watchers.feeds { feed.deliver(delivery) } }
    }

    /// The windows go on with a commit, or with all that one transaction has made, once the last of them comes.
    mutating func follow(_ commit: Commit, of list: WindowedList, by run: RunID?) {
        guard unfollowed != nil || commit.revision < list.revision else {
            return follow(PlacedCommit(commit), of: list, by: run)
        }
        var earlier = unfollowed ?? Unfollowed(since: commit.patch.from)
        earlier.append(commit)
        unfollowed = earlier
        guard commit.revision == list.revision else { return }
        unfollowed = nil
        guard let patch = list.rows.patch(since: earlier.since) else { return renew(list) }
        follow(PlacedCommit(patch, in: list.rows, from: earlier.positions), of: list, by: nil)
    }

    /// The windows go on with a change, and whoever it concerns is told.
    mutating func follow(_ commit: PlacedCommit, of list: WindowedList, by run: RunID?) {
        byView = nil
        for number in windows.keys {
            guard var window = windows[number] else { continue }
            var patch = window.view.follow(commit, in: list.rows)
            let place = list.place(of: window.view)
            defer { windows[number] = window }
            guard !patch.isEmpty || window.place != place else { continue }
            window.place = place
            patch.from = window.revision
            patch.revision = list.revision
            window.revision = list.revision
            window.snapshot = nil
            let frames = Frames.patch(
                patch, list: name, epoch: list.epoch, run: run?.description, at: place, limit: frameLimit)
            let batch = FrameBatch(
                from: patch.from, revision: patch.revision, frames: frames.map(SharedFrame.init(text:)))
            for feed in window.watchers.feeds { feed.publish(batch) }
        }
    }

    /// The list has changed in ways that windows can't follow: each is sent whole.
    mutating func renew(_ list: WindowedList) {
        byView = nil
        for number in windows.keys {
            guard var window = windows[number] else { continue }
            let last = window.revision
            window.view.reposition(in: list.rows)
            window.place = list.place(of: window.view)
            window.revision = list.revision
            window.snapshot = nil
            var batch = snapshot(of: &window, of: list)
            batch.from = last
            windows[number] = window
            for feed in window.watchers.feeds { feed.publish(batch) }
        }
    }

    /// The window of a feed, whole, for those who are behind the frames that their loop keeps; nil where it is no window's.
    mutating func snapshot(for feed: LoopFeed, of list: WindowedList) -> FrameBatch? {
        guard let number = numbers[ObjectIdentifier(feed)], var window = windows[number] else { return nil }
        defer { windows[number] = window }
        return snapshot(of: &window, of: list)
    }

    /// The digest of what somebody looks at; nil where they watch the whole list.
    func digest(for watch: WatchID, of list: WindowedList) -> OK? {
        guard let window = watches[watch].flatMap({ windows[$0.window] }) else { return nil }
        let rows = list.rows.rows(in: window.view.range)
        return OK(
            list: name, epoch: list.epoch, revision: window.revision, count: rows.count, window: window.place,
            crc32: rows.digest)
    }

    private func snapshot(
        of window: inout SharedWindow, of list: WindowedList, without isKnown: ((Int, PlacedRow) -> Bool)? = nil
    ) -> FrameBatch {
        if isKnown == nil, let snapshot = window.snapshot { return snapshot }
        let rows = list.rows.rows(in: window.view.range).enumerated().map { offset, row in
            let isKnown = isKnown?(window.view.place.first + offset, row) ?? false
            return Patch.Change(key: row.key, position: row.position, fields: isKnown ? nil : row.fields)
        }
        let snapshot = SnapshotPart(
            list: name, epoch: list.epoch, revision: window.revision, rows: rows, window: window.place,
            isLast: true)
        let frames = Frames.snapshot(snapshot, limit: frameLimit)
        let batch = FrameBatch(
            from: window.revision, revision: window.revision, frames: frames.map(SharedFrame.init(text:)))
        if isKnown == nil { window.snapshot = batch }
        return batch
    }
}

extension ListWindows.Known {
    /// Tells of a row, and of its index, whether it is known; nil: none is.
    ///
    /// - Parameter former: the window that they look at, and its revision.
    fileprivate func rows(
        of list: WindowedList, former: (view: WindowView, revision: Revision)?
    ) -> ((Int, PlacedRow) -> Bool)? {
        switch self {
        case .nothing: return nil
        case .since(let revision): return { _, row in list.revision(of: row) <= revision }
        case .rows(let known): return { _, row in known[row.key]?.fields == row.fields }
        case .window(let revision):
            guard let former, former.revision == revision else { return nil }
            return { index, _ in former.view.range.contains(index) }
        }
    }
}

extension ListStateFrame {
    /// For those who are told of rows up to a revision, and not of later ones, which don't concern them.
    func after(_ revision: Revision) -> ListStateFrame {
        var state = self
        state.revision = min(state.revision, revision)
        return state
    }
}
