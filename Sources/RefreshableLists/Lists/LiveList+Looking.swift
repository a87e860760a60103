import KeyedLists
import ListProtocol

/// Watching a window of the list, and looking at another one.
extension LiveList {
    /// Somebody who watches begins with a window.
    func attach(
        _ watch: WatchID, to window: Window, messageID: String?, resume: ClientMessage.Resume?, rights: WatchRights,
        on feed: LoopFeed
    ) {
        guard let kept else { preconditionFailure("A list is attached to only after it was read.") }
        var known = ListWindows.Known.nothing
        if let resume, resume.epoch == kept.epoch.description, resume.revision <= kept.rows.revision {
            known = .since(resume.revision)
        }
        guard let begun = broadcaster.look(at: window, watch, knowing: known, of: kept, on: feed) else {
            return feed.deliver(.failed(watch, messageID: messageID, .unknownRow, noRowText))
        }
        var ok = OK(begun, of: kept, id: messageID)
        ok.begin = .snapshot
        describe(&ok, to: rights)
        feed.deliver(.attached(WatchStart(begun, of: watch, messageID: messageID, ok: ok)))
    }

    /// Somebody who watches looks at another window.
    ///
    /// - Parameters:
    ///   - look: the number of the message.
    ///   - held: the revision of the rows that they have, if they have them all.
    ///   - isWhole: whether these are all rows of the list.
    ///   - feed: their loop's.
    func look(
        at window: Window, _ watch: WatchID, look: Int, messageID: String?, held: Revision?, isWhole: Bool,
        on feed: LoopFeed
    ) {
        let moving = Attaching(watch: watch) { [goneText] in
            feed.deliver(.unmoved(watch, look: look, messageID: messageID, .unavailable, goneText))
        } attach: { [self] in
            let known: ListWindows.Known? = held.map { isWhole ? .since($0) : .window(at: $0) }
            move(watch, to: window, look: look, messageID: messageID, knowing: known ?? .nothing, on: feed)
        }
        // Who begins to watch begins first.
        if shared.isAttaching(watch) { shared.attaching[watch.socket]?.append(moving) } else { moving.attach() }
    }

    private func move(
        _ watch: WatchID, to window: Window, look: Int, messageID: String?, knowing known: ListWindows.Known,
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
        guard let begun = broadcaster.look(at: window, watch, knowing: known, of: kept, on: feed) else {
            return refuse(.unknownRow, noRowText)
        }
        let ok = messageID.map { OK(begun, of: kept, id: $0) }
        feed.deliver(.attached(WatchStart(begun, of: watch, messageID: messageID, look: look, ok: ok)))
    }

    private var noRowText: String {
        "The list \(name) does not have that row, or has it no longer. Give an \"index\" to look at instead."
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
    fileprivate init(_ begun: ListWindows.Start, of kept: PersistentList, id: String?) {
        self.init(
            id: id, list: kept.name, epoch: kept.epoch, revision: begun.revision, count: begun.count,
            window: begun.place)
    }
}
