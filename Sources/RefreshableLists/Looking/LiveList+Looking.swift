import KeyedLists
import ListProtocol
import ListSources

/// Watching a window of the list, and looking at another one.
extension LiveList {
    /// How many rows are looked at in one step: about a millisecond.
    private static let rowsAtOnce = 10_000

    /// Has rows found that somebody looks for, in steps between which the list does other things; then calls back. Whoever watches is
    /// called back once there is something to see, and moved on to all of it when that was found. It calls back without where too
    /// much is being looked for, or who wants them watches no more.
    ///
    /// - Parameters:
    ///   - view: nil: all rows.
    ///   - watch: nil: somebody who does not watch, and waits for all.
    func find(_ view: ListView?, for watch: WatchID? = nil, then: @escaping () -> Void) {
        guard let view, !view.query.isEmpty, broadcaster.views[view.query] == nil else { return then() }
        let query = view.query
        let isBegun = searchers[query] != nil
        guard isBegun || broadcaster.views.hasRoom else { return then() }
        let searcher = Searcher(watch: watch, window: view.window, began: now.uptime, then: then)
        searchers[query, default: []].append(searcher)
        if !isBegun { search(query) }
    }

    private func search(_ query: RowQuery) {
        let isAwaited = searchers[query]?.contains { $0.watch.map { !shared.departed.contains($0) } ?? true } == true
        let isWanted = isAwaited || broadcaster.views.isSeen(query)
        if isWanted, !hasEnded, let kept, !broadcaster.search(query, of: kept, atMost: Self.rowsAtOnce) {
            showFirst(of: query)
            return post { $0.search(query) }
        }
        let moved = kept.map { broadcaster.finish(query, of: $0) } ?? []
        for moved in moved { tell(moved) }
        for searcher in searchers.removeValue(forKey: query) ?? [] { searcher.then() }
        broadcaster.dropUnused(query)
    }

    /// Somebody sees all of what they saw the first of.
    func tell(_ moved: ListWindows.Moved) {
        moved.feed.deliver(.attached(WatchStart(moved.start, of: moved.watch, messageID: nil, ok: nil)))
    }

    /// Those who have waited for long enough, or would see no more if all was found, see what there is.
    private func showFirst(of query: RowQuery) {
        let count = broadcaster.views.count(foundOf: query)
        guard let waiting = searchers[query], count > 0 else { return }
        let ready = waiting.filter { $0.isSatisfied(by: count, at: now.uptime) }
        guard !ready.isEmpty else { return }
        searchers[query]?.removeAll { $0.isSatisfied(by: count, at: now.uptime) }
        broadcaster.views.showFirst(of: query)
        for searcher in ready { searcher.then() }
    }

    /// Somebody who watches begins with a window.
    func attach(
        _ watch: WatchID, to view: ListView, messageID: String?, resume: ClientMessage.Resume?, rights: WatchRights,
        on feed: LoopFeed
    ) {
        guard let kept else { preconditionFailure("A list is attached to only after it was read.") }
        var known = ListWindows.Known.nothing
        if let resume, resume.epoch == kept.epoch.description, resume.revision <= kept.rows.revision {
            known = .since(resume.revision)
        }
        let isSourced = description.windows != nil
        guard
            let begun = broadcaster.look(at: view, watch, knowing: known, of: kept, isSourced: isSourced, on: feed)
        else {
            let (code, reason) = whyNot(view)
            return feed.deliver(.failed(watch, messageID: messageID, code, reason))
        }
        tell(begun, in: kept.epoch, to: watch, messageID: messageID, rights: rights, on: feed)
    }

    /// Answers somebody who begins to watch with a window.
    func tell(
        _ begun: ListWindows.Start, in epoch: Epoch, to watch: WatchID, messageID: String?, rights: WatchRights,
        on feed: LoopFeed
    ) {
        var ok = OK(begun, of: name, epoch, id: messageID)
        ok.begin = .snapshot
        describe(&ok, to: rights)
        feed.deliver(.attached(WatchStart(begun, of: watch, messageID: messageID, ok: ok)))
    }

    /// Answers somebody who looks at another window.
    func tell(
        _ begun: ListWindows.Start, in epoch: Epoch, to watch: WatchID, look: Int, messageID: String?, on feed: LoopFeed
    ) {
        let ok = messageID.map { OK(begun, of: name, epoch, id: $0) }
        feed.deliver(.attached(WatchStart(begun, of: watch, messageID: messageID, look: look, ok: ok)))
    }

    /// Somebody who watches looks at another window.
    ///
    /// - Parameters:
    ///   - look: the number of the message.
    ///   - held: the revision of the rows that they have, if they have them all.
    ///   - isWhole: whether these are all rows of the list.
    ///   - feed: their loop's.
    func look(
        at view: ListView, _ watch: WatchID, look: Int, messageID: String?, held: Revision?, isWhole: Bool,
        on feed: LoopFeed
    ) {
        let known: ListWindows.Known = held.map { isWhole ? .since($0) : .window(at: $0) } ?? .nothing
        let isAtHead = lookAtHead(view, watch, look: look, messageID: messageID, knowing: known, on: feed)
        if isAtHead { return }
        let moving = Attaching(watch: watch) { [self] number in
            prepare(view, for: watch) { [self] in attach(number, on: watch.socket) }
        } refuse: { [goneText] in
            feed.deliver(.unmoved(watch, look: look, messageID: messageID, .unavailable, goneText))
        } attach: { [self] in
            move(watch, to: view, look: look, messageID: messageID, knowing: known, on: feed)
        }
        // Who begins to watch begins first, and who looks for rows twice finds them one after the other.
        _ = shared.wait(moving)
        shared.takeBeginning(on: watch.socket)?()
    }

    private func move(
        _ watch: WatchID, to view: ListView, look: Int, messageID: String?, knowing known: ListWindows.Known,
        on feed: LoopFeed
    ) {
        func refuse(_ code: ErrorCode, _ reason: String) {
            feed.deliver(.unmoved(watch, look: look, messageID: messageID, code, reason))
        }
        guard !hasEnded else { return refuse(.unavailable, goneText) }
        guard !shared.departed.contains(watch) else {
            return refuse(.notWatching, "This connection no longer watches \"\(name)\".")
        }
        guard let kept, !kept.isInDoubt else { return refuse(.unavailable, unreadableText) }
        let isSourced = description.windows != nil
        guard
            let begun = broadcaster.look(at: view, watch, knowing: known, of: kept, isSourced: isSourced, on: feed)
        else {
            let (code, reason) = whyNot(view)
            return refuse(code, reason)
        }
        tell(begun, in: kept.epoch, to: watch, look: look, messageID: messageID, on: feed)
    }

    /// Why a window could not be laid.
    private func whyNot(_ view: ListView) -> (ErrorCode, String) {
        if description.windows != nil, !sourceReading.missing.contains(view) {
            // One that was read while another message of the same connection was waited for is here no longer.
            return (.unavailable, sourceReading.faults[view]?.message ?? unreadableText)
        }
        guard description.windows != nil || view.query.isEmpty || broadcaster.views[view.query] != nil else {
            return (.unavailable, "Too much is being looked for in the list \(name) at the moment.")
        }
        let reason =
            "The list \(name) does not have that row, or has it no longer. Give an \"index\" to look at instead."
        return (.unknownRow, reason)
    }
}

/// Somebody who waits for what a query finds.
struct Searcher {
    /// Whoever has waited for so long sees what there is. Milliseconds.
    private static let patience: Int64 = 50

    /// Nil: they do not watch.
    let watch: WatchID?
    let window: Window
    /// By the list's clock; milliseconds.
    let began: Int64
    let then: () -> Void

    /// Whether they see the first of what is found, so many rows, while the rest is looked for. Where a window lies elsewhere, nobody
    /// can tell yet.
    func isSatisfied(by count: Int, at now: Int64) -> Bool {
        guard watch != nil, case .first(let first, let wanted) = window else { return false }
        return count >= first + wanted || count > first && now - began >= Self.patience
    }
}

extension WatchStart {
    fileprivate init(
        _ begun: ListWindows.Start, of watch: WatchID, messageID: String?, look: Int? = nil, ok: OK?
    ) {
        self.init(
            watch: watch, messageID: messageID, look: look, ok: ok.map { ServerMessage.ok($0).encoded() },
            rows: begun.rows, revision: begun.revision, feed: begun.feed, state: begun.state)
    }
}

extension OK {
    fileprivate init(_ begun: ListWindows.Start, of list: String, _ epoch: Epoch, id: String?) {
        self.init(
            id: id, list: list, epoch: epoch, revision: begun.revision, count: begun.count,
            window: begun.place)
    }
}
