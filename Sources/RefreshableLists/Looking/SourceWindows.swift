import KeyedLists
import ListProtocol
import ListSources

/// The windows of a list whose source is asked for each of them (`WindowSource`). Each is a list of its own, and of the other rows
/// the server knows nothing.
///
///     the source   0 ───────────────────────────────────────── 10,000,000
///     windows      ├─ 0 ─┤            ├── 4,711,000 ──┤     ├─ the last ─┤
struct SourceWindows {
    fileprivate struct Sourced {
        var rows = KeyedList()
        var place: WindowPlace
        /// One, of all these rows.
        var windows: ListWindows

        func list(in kept: PersistentList) -> WindowedList { WindowedList(rows, of: kept, at: place) }
    }

    /// All that was read.
    private static let whole = Window.first(0, count: .max)

    private var sourced: [ListView: Sourced] = [:]
    /// What people look at.
    private var views: [WatchID: ListView] = [:]
    /// How many rows there are, as was last read; nil: nobody has looked for all rows.
    private(set) var total: Int?
    private let list: String
    private let frameLimit: Int

    init(list: String, frameLimit: Int) {
        self.list = list
        self.frameLimit = frameLimit
    }

    /// How many look at a window.
    var count: Int { views.count }
    func contains(_ watch: WatchID) -> Bool { views[watch] != nil }
    /// The windows, for those who publish to all of them.
    var windows: [ListWindows] { sourced.values.map(\.windows) }

    /// The rows of a view, if they are here, and where they lie.
    subscript(view: ListView) -> (rows: KeyedList, place: WindowPlace)? { sourced[view].map { ($0.rows, $0.place) } }

    // MARK: What is read

    /// What is to be read again to know what is looked at now. In the midst of a list, a window goes with the rows that are seen,
    /// however many come above them.
    var looked: [ListView: Window] {
        var windows: [ListView: Window] = [:]
        for (view, one) in sourced { windows[view] = one.window(of: view) }
        return windows
    }

    /// Rows were read for somebody who is about to look.
    ///
    /// - Throws: for the first key that comes a second time.
    mutating func take(_ read: WindowRows, for view: ListView, at now: Int64) throws(DuplicateKey) {
        var one = Sourced(place: read.place, windows: ListWindows(list: list, frameLimit: frameLimit))
        _ = try one.rows.replace(with: read.rows, at: now)
        sourced[view] = one
        note(read, view)
    }

    /// More was read of a window of which somebody sees what was found first.
    ///
    /// - Returns: those who see it now.
    /// - Throws: for the first key that comes a second time.
    mutating func finish(
        _ read: WindowRows, for view: ListView, of kept: PersistentList, at now: Int64, state: ListStateFrame?
    ) throws(DuplicateKey) -> [ListWindows.Moved] {
        guard var first = sourced[view], first.place.isSearching else { return [] }
        // How many others were found is told when all were.
        if read.isSearching, first.has(read) { return [] }
        try take(read, for: view, at: now)
        guard var whole = sourced[view] else { return [] }
        let list = whole.list(in: kept)
        let moved = first.windows.moveAll(to: &whole.windows, of: list, state: state) { _ in Self.whole }
        sourced[view] = whole
        return moved
    }

    /// Nobody is about to look any more.
    mutating func dropUnused(_ view: ListView) {
        if sourced[view]?.windows.isEmpty == true { sourced[view] = nil }
    }

    /// Whether what was read is other than what is told.
    func differ(from reads: [ListView: WindowRows]) -> Bool {
        reads.contains { view, read in
            guard let one = sourced[view] else { return false }
            return one.place != read.place || !one.has(read)
        }
    }

    /// The windows become what was read of them.
    ///
    /// - Parameter kept: the list, at the revision that people are told.
    /// - Throws: for the first key that comes a second time; the windows before it have changed then.
    mutating func follow(
        _ reads: [ListView: WindowRows], of kept: PersistentList, by run: RunID?, at now: Int64
    ) throws(DuplicateKey) {
        for (view, read) in reads {
            guard var one = sourced.removeValue(forKey: view) else { continue }
            defer { sourced[view] = one }
            let since = one.rows.revision
            let commit = try one.rows.replace(with: read.rows, at: now)
            one.rows.prune(keeping: 0, newerThan: .max)
            one.place = read.place
            let moved = PlacedCommit(
                Patch(from: since, revision: since, count: one.rows.count), in: one.rows, from: [:])
            one.windows.follow(commit.map(PlacedCommit.init) ?? moved, of: one.list(in: kept), by: run)
            note(read, view)
        }
    }

    private mutating func note(_ read: WindowRows, _ view: ListView) {
        if view.query.isEmpty { total = read.total }
    }

    /// The list has another history: each window is sent whole.
    mutating func renew(_ kept: PersistentList) {
        for view in sourced.keys {
            guard var one = sourced.removeValue(forKey: view) else { continue }
            one.windows.renew(one.list(in: kept))
            sourced[view] = one
        }
    }

    // MARK: Who looks

    /// Somebody looks at what was read, and no more at the window before.
    ///
    /// - Returns: nil where nothing was read; then nothing is changed.
    mutating func look(
        at view: ListView, _ watch: WatchID, knowing known: ListWindows.Known, of kept: PersistentList,
        on loop: LoopFeed, state: ListStateFrame?
    ) -> ListWindows.Start? {
        guard let one = sourced[view] else { return nil }
        let known = rows(of: watch, knowing: known)
        let former = views[watch]
        let start = sourced[view]?.windows.look(
            at: Self.whole, watch, knowing: known, of: one.list(in: kept), on: loop, state: state)
        guard start != nil else { return nil }
        views[watch] = view
        if let former, former != view { leave(watch, former) }
        return start
    }

    /// The rows that somebody has for certain: those of the window that they look at, if they have all that it was told.
    private func rows(of watch: WatchID, knowing known: ListWindows.Known) -> ListWindows.Known {
        guard case .window(let revision) = known, let view = views[watch], let one = sourced[view],
            one.windows.revision(of: watch) == revision
        else { return .nothing }
        return .rows(one.rows)
    }

    /// Somebody looks at nothing any more; false where they did not.
    @discardableResult mutating func leave(_ watch: WatchID) -> Bool {
        guard let view = views.removeValue(forKey: watch) else { return false }
        leave(watch, view)
        return true
    }

    private mutating func leave(_ watch: WatchID, _ view: ListView) {
        sourced[view]?.windows.leave(watch)
        dropUnused(view)
    }

    // MARK: What they are told

    /// The window of a feed, whole; nil where it is no window's.
    mutating func snapshot(for feed: LoopFeed, of kept: PersistentList) -> FrameBatch? {
        for view in sourced.keys {
            guard let list = sourced[view]?.list(in: kept) else { continue }
            if let snapshot = sourced[view]?.windows.snapshot(for: feed, of: list) { return snapshot }
        }
        return nil
    }

    /// The digest of what somebody looks at; nil where they look at nothing here.
    func digest(for watch: WatchID, of kept: PersistentList) -> OK? {
        guard let view = views[watch], let one = sourced[view] else { return nil }
        return one.windows.digest(for: watch, of: one.list(in: kept))
    }
}

extension SourceWindows.Sourced {
    /// Whether these rows were read again.
    fileprivate func has(_ read: WindowRows) -> Bool { rows.rows.elementsEqual(read.rows) { $0.row == $1 } }

    /// What is to be read to have the rows that are seen, as they are now.
    fileprivate func window(of view: ListView) -> Window {
        switch view.window {
        case .first(let first, let count) where first > 0:
            guard let row = rows.row(at: 0) else { return view.window }
            return .around(row.key, before: 0, after: max(0, count - 1), orAt: place.first)
        case .around(let key, let before, let after, _):
            let index = rows.index(of: key).map { place.first + $0 } ?? place.first + before
            return .around(key, before: before, after: after, orAt: index)
        case .first, .last: return view.window
        }
    }
}
