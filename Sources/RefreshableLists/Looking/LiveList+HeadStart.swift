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
        guard kept == nil, description.windows == nil, let view, let start = headStart ?? newHeadStart(),
            start.has(view), resume.map({ start.mayGoOn(from: $0) }) ?? true
        else { return false }
        if headStart == nil { begin(start) }
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

    private func begin(_ start: HeadStart) {
        headStart = start
        start.read.begin { [weak self] in self?.post(first: true) { $0.hasRead() } }
        begin(with: start.head.facts)
    }

    /// Reads the list, or begins to where its first rows are known: then so is what the directory says of it.
    func beginReading() {
        guard kept == nil, headStart == nil else { return }
        if description.windows == nil, let start = newHeadStart() { begin(start) } else { _ = isReadable }
    }

    private func newHeadStart() -> HeadStart? {
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
            hasRead()
            return false
        }
        tell(begun, in: start.head.epoch, to: watch, look: look, messageID: messageID, on: feed)
        return true
    }

    /// All rows were read, or have to be.
    private func hasRead() {
        guard headStart != nil, !hasEnded else { return }
        do { try load() } catch { logUnreadable(error) }
    }

    /// Those who saw the first rows see the list, and what watching it begins begins.
    func goOn(from start: HeadStart, with kept: PersistentList) {
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

    /// The list can't be read: who sees its first rows would wait for news for ever.
    func dismissHead() {
        guard headStart != nil else { return }
        headStart = nil
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
    func mayGoOn(from resume: ClientMessage.Resume) -> Bool {
        resume.epoch != head.epoch.description || resume.revision <= head.revision
    }
}
