import KeyedLists
import ListProtocol
import ListSources

/// What somebody looks at: a window of the rows that they look for.
struct ListView: Hashable {
    var window: Window
    /// Empty: all rows, in their order.
    var query = RowQuery()
    /// Of a list of no more rows than these, whoever begins to watch wants all.
    var allUpTo: Int?

    /// A window of all rows.
    init(_ window: Window) { self.window = window }

    init(_ request: ViewRequest) throws(RowQueryError) {
        window = request.window
        query = try RowQuery(find: request.find, filter: request.filter, sort: request.sort)
        allUpTo = request.allUpTo
    }

    /// The first rows: what those get of a list in windows who ask for no window.
    static let top = ListView(.first(0, count: 200))

    /// Whether who begins to watch a list of so many rows gets no window of it.
    func isAll(of count: Int) -> Bool { query.isEmpty && count <= allUpTo ?? -1 }
}

/// What people look at of one list: windows of all its rows, and of those that somebody looks for. Whoever looks for the same
/// shares them.
///
///     list ──────────────┬─ windows of all rows
///                        ├─ "tea"            derived rows ── windows
///                        └─ badge = fix      derived rows ── windows
///
/// While a query is looked for, windows may lie on what was found first. They don't go on with the list, and are left for those of
/// all that was found.
struct ListViews {
    private struct Found {
        var rows: DerivedList<RowQuery>
        var windows: ListWindows
    }

    fileprivate struct Search {
        var rows: DerivedList<RowQuery>
        /// What was found when somebody wanted to see it; nil: nobody yet.
        var seen: KeyedList?
        var windows: ListWindows
    }

    /// How many queries are answered at a time: each costs a look at every row that changes, and memory for what it finds.
    private static let mostQueries = 64

    /// Of all rows.
    private var windows: ListWindows
    /// Of the first rows, while the list is being read: then there are no others.
    private var headWindows: ListWindows
    /// What people look at there.
    private var headLooks: [WatchID: Window] = [:]
    /// Of a list whose source is asked for each: then there are no others.
    var sourced: SourceWindows
    private var found: [RowQuery: Found] = [:]
    /// What is being looked for.
    private var searches: [RowQuery: Search] = [:]
    /// Of those who don't look at all rows.
    private var looks: [WatchID: ListView] = [:]
    /// What commits have touched that come before the last one of their transaction.
    private var touched: Set<Key> = []
    private let list: String
    private let frameLimit: Int

    init(list: String, frameLimit: Int) {
        self.list = list
        self.frameLimit = frameLimit
        windows = ListWindows(list: list, frameLimit: frameLimit)
        headWindows = windows
        sourced = SourceWindows(list: list, frameLimit: frameLimit)
    }

    /// Whether nobody looks at a window of all rows.
    var isEmpty: Bool { windows.isEmpty }
    /// How many look at some window.
    var count: Int { windows.count + headWindows.count + sourced.count + looks.count }
    /// Whether somebody looks at some window.
    func contains(_ watch: WatchID) -> Bool {
        looks[watch] != nil || windows.contains(watch) || headWindows.contains(watch) || sourced.contains(watch)
    }

    // MARK: Looking for rows

    /// Whether one more query can be answered.
    var hasRoom: Bool { found.count + searches.count < Self.mostQueries }

    /// What a query has found; nil where it was not looked for.
    subscript(query: RowQuery) -> KeyedList? { found[query]?.rows.rows }

    /// How much a query that is being looked for has found until now.
    func count(foundOf query: RowQuery) -> Int { searches[query]?.rows.rows.count ?? 0 }

    /// Whether somebody sees what a query that is being looked for has found first.
    func isSeen(_ query: RowQuery) -> Bool { searches[query]?.windows.isEmpty == false }

    /// Looks at so many more rows of the list.
    ///
    /// - Returns: whether all were looked at. Then it is to be used, or dropped with `dropUnused`.
    mutating func search(_ query: RowQuery, of kept: PersistentList, atMost count: Int) -> Bool {
        guard found[query] == nil else { return true }
        // Taken out: it is the only reference, and nothing is copied.
        var search = searches.removeValue(forKey: query) ?? Search(rows: DerivedList(query), windows: newWindows)
        search.rows.scan(kept.rows, atMost: count)
        searches[query] = search
        return search.rows.isWhole
    }

    /// Has what a query has found until now seen, while the rest is looked for. Only the first time: then it stays what it is.
    mutating func showFirst(of query: RowQuery) {
        guard let search = searches[query], search.seen?.isEmpty ?? true else { return }
        searches[query]?.seen = search.rows.rows
    }

    /// All that a query wants was found.
    ///
    /// - Returns: those who saw what was found first.
    mutating func finish(_ query: RowQuery, of kept: PersistentList, state: ListStateFrame?) -> [ListWindows.Moved] {
        guard let search = searches[query], search.rows.isWhole else { return [] }
        searches[query] = nil
        let list = WindowedList(search.rows.rows, of: kept)
        var (first, windows) = (search.windows, newWindows)
        let moved = first.moveAll(to: &windows, of: list, state: state) { looks[$0]?.window }
        found[query] = Found(rows: search.rows, windows: windows)
        return moved
    }

    /// Nobody waits for it any more.
    mutating func dropUnused(_ query: RowQuery) {
        if !isSeen(query) { searches[query] = nil }
        dropUnseen(query)
    }

    private mutating func dropUnseen(_ query: RowQuery) {
        if found[query]?.windows.isEmpty == true { found[query] = nil }
    }

    private var newWindows: ListWindows { ListWindows(list: list, frameLimit: frameLimit) }

    // MARK: Who looks

    /// Somebody looks at a window of what a query has found, and no more at the one before.
    ///
    /// - Returns: nil where the window is around a row that is not there; then nothing is changed.
    mutating func look(
        at view: ListView, _ watch: WatchID, knowing known: ListWindows.Known,
        of kept: PersistentList, on loop: LoopFeed, state: ListStateFrame?
    ) -> ListWindows.Start? {
        let former = looks[watch]?.query
        let start: ListWindows.Start?
        if view.query.isEmpty {
            start = windows.look(
                at: view.window, watch, knowing: former == nil ? known : .nothing, of: WindowedList(kept), on: loop,
                state: state)
        } else {
            let isSame = former == view.query || former == nil && !windows.contains(watch)
            start = look(
                at: view, watch, knowing: isSame ? known : .nothing, amongFoundOf: kept, on: loop, state: state)
        }
        guard start != nil else { return nil }
        if former == nil, !view.query.isEmpty { windows.leave(watch) }
        if let former, former != view.query { leave(watch, former) }
        looks[watch] = view.query.isEmpty ? nil : view
        return start
    }

    private mutating func look(
        at view: ListView, _ watch: WatchID, knowing known: ListWindows.Known,
        amongFoundOf kept: PersistentList, on loop: LoopFeed, state: ListStateFrame?
    ) -> ListWindows.Start? {
        if let rows = found[view.query]?.rows.rows {
            let list = WindowedList(rows, of: kept)
            return found[view.query]?.windows.look(
                at: view.window, watch, knowing: known, of: list, on: loop, state: state)
        }
        guard let first = searches[view.query]?.first(of: kept) else { return nil }
        return searches[view.query]?.windows.look(
            at: view.window, watch, knowing: known, of: first, on: loop, state: state)
    }

    /// Somebody looks at nothing any more; false where they did not.
    @discardableResult mutating func leave(_ watch: WatchID) -> Bool {
        headLooks[watch] = nil
        guard let view = looks.removeValue(forKey: watch) else {
            return windows.leave(watch) || headWindows.leave(watch) || sourced.leave(watch)
        }
        leave(watch, view.query)
        return true
    }

    // MARK: While the list is being read

    /// Somebody looks at some of its first rows.
    mutating func look(
        at window: Window, _ watch: WatchID, knowing known: ListWindows.Known, ofHead head: WindowedList,
        on loop: LoopFeed, state: ListStateFrame?
    ) -> ListWindows.Start? {
        let start = headWindows.look(at: window, watch, knowing: known, of: head, on: loop, state: state)
        if start != nil { headLooks[watch] = window }
        return start
    }

    /// All rows are here: whoever looked at the first looks at them.
    ///
    /// - Returns: those who do.
    mutating func leaveHead(for kept: PersistentList, state: ListStateFrame?) -> [ListWindows.Moved] {
        defer { headLooks = [:] }
        return headWindows.moveAll(to: &windows, of: WindowedList(kept), state: state) { headLooks[$0] }
    }

    /// Those who look at its first rows, each with the feed of their loop.
    var watchesOfHead: [WatchID: LoopFeed] { headWindows.loops }

    /// A search that nobody waits for ends by itself.
    private mutating func leave(_ watch: WatchID, _ query: RowQuery) {
        searches[query]?.windows.leave(watch)
        found[query]?.windows.leave(watch)
        dropUnseen(query)
    }

    // MARK: What they are told

    func publish(_ state: ListStateFrame) { for windows in all { windows.publish(state) } }
    func publish(_ progress: ProgressFrame) { for windows in all { windows.publish(progress) } }
    func deliver(_ delivery: Delivery) { for windows in all { windows.deliver(delivery) } }

    private var all: [ListWindows] {
        [windows, headWindows] + found.values.map(\.windows) + searches.values.map(\.windows) + sourced.windows
    }

    /// All go on with a commit, or with all that one transaction has made, once the last of them comes.
    mutating func follow(_ commit: Commit, of kept: PersistentList, by run: RunID?) {
        if !windows.isEmpty { windows.follow(commit, of: WindowedList(kept), by: run) }
        guard !found.isEmpty || !searches.isEmpty else { return }
        let isWhole = touched.isEmpty
        touched.formUnion(commit.patch.set.map(\.key))
        touched.formUnion(commit.patch.remove)
        guard commit.revision == kept.rows.revision else { return }
        followQueries(of: kept, by: isWhole ? run : nil)
    }

    /// All go on with a change that was made elsewhere.
    ///
    /// - Parameter former: where its rows were before; nil where nobody knows.
    mutating func follow(_ patch: Patch, of kept: PersistentList, from former: [Key: Position]?) {
        if let former {
            windows.follow(PlacedCommit(patch, in: kept.rows, from: former), of: WindowedList(kept), by: nil)
        } else {
            windows.renew(WindowedList(kept))
        }
        touched.formUnion(patch.set.map(\.key))
        touched.formUnion(patch.remove)
        followQueries(of: kept, by: nil)
    }

    private mutating func followQueries(of kept: PersistentList, by run: RunID?) {
        let keys = touched
        touched = []
        for query in searches.keys {
            guard var search = searches.removeValue(forKey: query) else { continue }
            _ = search.rows.follow(keys, of: kept.rows, at: 0)
            searches[query] = search
        }
        for query in found.keys {
            guard var one = found.removeValue(forKey: query) else { continue }
            if let commit = one.rows.follow(keys, of: kept.rows, at: 0) {
                one.windows.follow(PlacedCommit(commit), of: WindowedList(one.rows.rows, of: kept), by: run)
            }
            found[query] = one
        }
    }

    /// The list has changed in ways that nobody can follow: each window is sent whole.
    mutating func renew(_ kept: PersistentList) {
        touched = []
        sourced.renew(kept)
        windows.renew(WindowedList(kept))
        for query in searches.keys {
            guard var search = searches.removeValue(forKey: query) else { continue }
            search.rows = DerivedList(query)
            if search.seen != nil { search.seen = KeyedList() }
            if let first = search.first(of: kept) { search.windows.renew(first) }
            searches[query] = search
        }
        for query in found.keys {
            guard var one = found.removeValue(forKey: query) else { continue }
            one.rows = DerivedList(query)
            one.rows.scan(kept.rows, atMost: .max)
            one.windows.renew(WindowedList(one.rows.rows, of: kept))
            found[query] = one
        }
    }

    /// The window of a feed, whole, for those who are behind the frames that their loop keeps; nil where it is no window's.
    mutating func snapshot(for feed: LoopFeed, of kept: PersistentList) -> FrameBatch? {
        if let snapshot = windows.snapshot(for: feed, of: WindowedList(kept)) { return snapshot }
        if let snapshot = sourced.snapshot(for: feed, of: kept) { return snapshot }
        for query in searches.keys {
            guard let first = searches[query]?.first(of: kept) else { continue }
            if let snapshot = searches[query]?.windows.snapshot(for: feed, of: first) { return snapshot }
        }
        for query in found.keys {
            guard let rows = found[query]?.rows.rows else { continue }
            if let snapshot = found[query]?.windows.snapshot(for: feed, of: WindowedList(rows, of: kept)) {
                return snapshot
            }
        }
        return nil
    }

    /// The digest of what somebody looks at; nil where they watch the whole list.
    func digest(for watch: WatchID, of kept: PersistentList) -> OK? {
        if sourced.contains(watch) { return sourced.digest(for: watch, of: kept) }
        guard let query = looks[watch]?.query else { return windows.digest(for: watch, of: WindowedList(kept)) }
        if let first = searches[query]?.first(of: kept),
            let digest = searches[query]?.windows.digest(for: watch, of: first)
        {
            return digest
        }
        return found[query].flatMap { $0.windows.digest(for: watch, of: WindowedList($0.rows.rows, of: kept)) }
    }
}

extension ListViews.Search {
    /// What is seen of it, while it goes on.
    fileprivate func first(of kept: PersistentList) -> WindowedList? {
        seen.map { WindowedList($0, of: kept, isSearching: true) }
    }
}
