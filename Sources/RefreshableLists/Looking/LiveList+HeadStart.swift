import KeyedLists
import ListProtocol
import ListStorage

/// Whoever looks at the first rows of a long list sees them while it is being read; everything else waits until it was.
///
///     watch ──┬─▶ its head: 200 rows, a millisecond ──▶ shown, as what a search finds first is
///             └─▶ all rows, on a thread of their own ──▶ shown once more, and followed
extension LiveList {
    /// Shows its first rows to somebody who begins to watch with some of those.
    ///
    /// - Returns: false where the list was read, is not long, or they want other rows: then it is to be loaded.
    func attachToHead(
        _ watch: WatchID, _ messageID: String?, _ resume: ClientMessage.Resume?, _ view: ListView?,
        _ rights: WatchRights, of person: String?, on feed: LoopFeed
    ) -> Bool {
        guard kept == nil, description.windows == nil, let view, let start = headStart ?? makeHeadStart(),
            start.has(view), resume.map({ start.canResume(from: $0) }) ?? true
        else { return false }
        if headStart == nil { startReading(after: start) }
        broadcaster.join(feed, at: start.head.revision)
        var known = ListWindows.Known.nothing
        if let resume, resume.epoch == start.head.epoch.description { known = .since(resume.revision) }
        guard let begun = broadcaster.look(at: view.window, watch, knowing: known, ofHead: start.rows, on: feed) else {
            preconditionFailure("A window that the head has can be laid on it.")
        }
        if let person { headStart?.people[watch] = (person, feed) }
        tell(begun, in: start.head.epoch, to: watch, messageID: messageID, rights: rights, on: feed)
        publishFigures()
        return true
    }

    /// Reads the list; of a long one the first rows alone, while the rest is being read.
    func readHead() {
        guard kept == nil, headStart == nil, !hasEnded else { return }
        guard description.windows == nil, let start = makeHeadStart() else { return _ = isReadable }
        startReading(after: start)
    }

    /// Tells whether its rows can be read, once all were. Nobody who looks at the first waits for that.
    func whenRead(_ then: @escaping (Bool) -> Void) {
        readHead()
        guard headStart != nil else { return then(isReadable) }
        headStart?.waiters.append(then)
    }

    private func startReading(after start: HeadStart) {
        headStart = start
        start.read.begin { [weak self] in self?.post(first: true) { $0.finishReading() } }
        resume(from: start.head.facts)
    }

    private func makeHeadStart() -> HeadStart? {
        // Several servers agree on what a list is before they show it.
        guard store.shared == nil else { return nil }
        do { return try store.head(of: name).map { try HeadStart($0, of: name, in: store) } } catch {
            // Reading all of it says why.
            return nil
        }
    }

    /// Shows others of the first rows to somebody who sees some of them.
    ///
    /// - Returns: false where the list was read, or they want other rows.
    func lookAtHead(
        _ view: ListView, _ watch: WatchID, look: Int, messageID: String?, knowing known: ListWindows.Known,
        on feed: LoopFeed
    ) -> Bool {
        guard let start = headStart else { return false }
        guard start.has(view), broadcaster.views.contains(watch),
            let begun = broadcaster.look(at: view.window, watch, knowing: known, ofHead: start.rows, on: feed)
        else {
            finishReading()
            return false
        }
        tell(begun, in: start.head.epoch, to: watch, look: look, messageID: messageID, on: feed)
        return true
    }

    /// All rows were read, or have to be.
    private func finishReading() {
        guard headStart != nil else { return }
        guard !hasEnded else { return endHeadStart() }
        do { try load() } catch { logUnreadable(error) }
    }

    /// Those who saw the first rows see the list, and what watching it begins begins.
    func moveOn(from start: HeadStart, to kept: PersistentList) {
        for waiter in start.waiters { waiter(true) }
        if kept.epoch != start.head.epoch || kept.rows.revision != start.head.revision {
            // Another program has written to the store meanwhile.
            broadcaster.publishAnew(kept, after: start.head.revision)
        }
        for moved in broadcaster.leaveHead(for: kept) { tell(moved) }
        // The directory alone was asked for, or they have left.
        guard watcherCount > 0 else { return }
        perform(gate.watchers(watcherCount, now: now))
        for (watch, (person, feed)) in start.people { tellUnread(to: person, watching: watch, over: feed) }
        follow()
        loadInitially()
    }

    /// The list can't be read, or is served no more: who sees its first rows would wait for news for ever.
    func endHeadStart() {
        guard let start = headStart else { return }
        headStart = nil
        for waiter in start.waiters { waiter(false) }
        // They leave by themselves once they have heard.
        for (watch, feed) in broadcaster.views.watchesOfHead {
            feed.deliver(.unwatched(watch, .unavailable, unreadableText))
        }
    }
}

/// The first rows of a long list, which is being read.
struct HeadStart {
    let head: ListHead
    let rows: WindowedList
    let read: BackgroundRead
    /// Those who are to be told what they have not seen, once that was read.
    var people: [WatchID: (person: String, feed: LoopFeed)] = [:]
    /// Those who are to be told whether all can be read.
    var waiters: [(Bool) -> Void] = []

    init(_ head: ListHead, of list: String, in store: any ListStore) throws(RestoreError) {
        self.head = head
        rows = try WindowedList(head)
        read = BackgroundRead(of: list, from: store)
    }

    /// Whether all rows of a view are here.
    func has(_ view: ListView) -> Bool {
        guard view.query.isEmpty, !view.isAll(of: head.count) else { return false }
        switch view.window {
        case .first(let first, let count): return 0...rows.rows.count ~= first && count <= rows.rows.count - first
        case .around(let key, _, let after, _):
            return rows.rows.index(of: key).map { after < rows.rows.count - $0 } ?? false
        case .last: return false
        }
    }

    /// Whether a client has seen nothing of its epoch that was lost.
    func canResume(from resume: ClientMessage.Resume) -> Bool {
        resume.epoch != head.epoch.description || resume.revision <= head.revision
    }
}
