import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// Attaching and detaching watchers, and sending the current rows to those that fell behind.
extension LiveList {

    /// Somebody watches. They are delivered an attachment, and from then on every commit.
    ///
    /// - Parameters:
    ///   - rights: what they may do, and so are offered.
    ///   - person: who they are; nil where that is not known.
    func attach(
        _ watch: WatchID, messageID: String?, resume: ClientMessage.Resume?, view: ListView? = nil,
        rights: WatchRights = [.refresh, .act], of person: String? = nil, to feed: LoopFeed
    ) {
        guard !hasEnded else { return feed.deliver(.failed(watch, messageID: messageID, .unavailable, goneText)) }
        let isAtHead = attachToHead(watch, messageID, resume, view, rights, of: person, on: feed)
        if isAtHead { return }
        do { try load() } catch {
            broadcaster.join(feed, at: 0)
            return fail(watch, messageID: messageID, error, to: feed)
        }
        guard let kept else { return }
        broadcaster.join(feed, at: kept.rows.revision)
        if decides { perform(gate.watchers(watcherCount, now: now)) } else { noteInterest() }
        let attaching = Attaching(watch: watch) { [goneText] in
            feed.deliver(.failed(watch, messageID: messageID, .unavailable, goneText))
        } attach: { [self] in
            if let view = seen(view), !shared.departed.contains(watch) {
                attach(watch, to: view, messageID: messageID, resume: resume, rights: rights, on: feed)
            } else {
                feed.deliver(.attached(attachment(watch, messageID: messageID, resume: resume, rights: rights)))
            }
            if let person { tellUnread(to: person, watching: watch, over: feed) }
            publishFigures()
        }
        let number = shared.wait(attaching)
        renewEpochIfClientIsAhead(resume, on: watch.socket) { [self] error in
            guard shared.isAttaching(watch) else { return }
            if let error {
                shared.forget(watch)
                fail(watch, messageID: messageID, error, to: feed)
                return attachReady(on: watch.socket)
            }
            whenLeadIsSettled { [self] in
                // First, so that no change falls between the load and the first look.
                follow()
                loadInitially { [self] in
                    prepare(view, for: watch) { [self] in attach(number, on: watch.socket) }
                }
            }
        }
    }

    /// The window that somebody gets who begins with a view; nil: all rows. Of a list that has yet to load nobody knows how many
    /// there will be, and one in windows is never here as a whole.
    private func seen(_ view: ListView?) -> ListView? {
        guard description.windows == nil else { return view ?? .top }
        guard let kept, kept.facts.updatedAt != nil || description.handler(for: .initial) == nil else { return view }
        return view.flatMap { $0.isAll(of: kept.rows.count) ? nil : $0 }
    }

    /// Nothing is waited for any more by the one with this number.
    func attach(_ number: Int, on socket: UInt64) {
        shared.noteReady(number, on: socket)
        attachReady(on: socket)
    }

    private func attachReady(on socket: UInt64) {
        let ready = shared.takeReady(on: socket)
        for attaching in ready { attaching.attach() }
        for attaching in ready where !shared.isAttaching(attaching.watch) { shared.departed.remove(attaching.watch) }
        shared.takeBeginning(on: socket)?()
    }

    private func fail(_ watch: WatchID, messageID: String?, _ error: any Error, to feed: LoopFeed) {
        logUnreadable(error)
        feed.deliver(.failed(watch, messageID: messageID, .unavailable, unreadableText))
    }

    var goneText: String { "The list \(name) is not there any more." }
    var unreadableText: String { "The list \(name) cannot be read at the moment." }

    /// Somebody does not watch any more.
    func detach(_ watch: WatchID? = nil, of person: String? = nil, from feed: LoopFeed) {
        if let watch, let person { unread.listeners[person]?[watch] = nil }
        if let watch, shared.isAttaching(watch) { shared.departed.insert(watch) }
        broadcaster.leave(watch, feed)
        if let watch { headStart?.people[watch] = nil }
        guard headStart == nil else { return }
        if decides { perform(gate.watchers(watcherCount, now: now)) } else { noteInterest() }
    }

    /// A watcher is behind the frames that its loop keeps.
    func fold(since base: Revision, for feed: LoopFeed) {
        do { try load() } catch {
            logUnreadable(error)
            return executor.schedule(at: now.uptime + 1000) { [weak self] in
                self?.assumeIsolated { $0.fold(since: base, for: feed) }
            }
        }
        guard let kept else { return }
        feed.deliver(.folded(base: base, broadcaster.rows(for: feed, since: base, of: kept, now: now)))
        publishFigures()
    }

    private func attachment(
        _ watch: WatchID, messageID: String?, resume: ClientMessage.Resume?, rights: WatchRights
    ) -> WatchStart {
        guard let kept else { preconditionFailure("A list is attached to only after it was read.") }
        var ok = OK(id: messageID, list: name)
        var rows: FrameBatch?
        if let resume, resume.epoch == kept.epoch.description, kept.rows.remembers(resume.revision) {
            let isCurrent = resume.revision == kept.rows.revision
            rows = isCurrent ? nil : broadcaster.rows(since: resume.revision, of: kept, now: now)
            ok.begin = isCurrent ? .live : rows?.snapshot == nil ? .resume : .snapshot
        } else {
            ok.begin = .snapshot
            rows = broadcaster.snapshot(of: kept)
        }
        ok.epoch = kept.epoch
        ok.revision = kept.rows.revision
        ok.count = kept.rows.count
        describe(&ok, to: rights)
        return WatchStart(
            watch: watch, messageID: messageID, ok: ServerMessage.ok(ok).encoded(), rows: rows,
            revision: kept.rows.revision, state: broadcaster.state?.serial ?? 0)
    }

    /// Says in the answer to a watch what the list is.
    func describe(_ ok: inout OK, to rights: WatchRights) {
        let description = listDescription.offered(to: rights)
        ok.title = description.title
        ok.refreshable = description.refreshable
        ok.pull = description.pull
        ok.noun = description.noun
        ok.section = description.section
        ok.notify = description.notify
        ok.actions = description.actions
        ok.unread = description.unread
    }

    /// Those who watch already are sent all rows in the new epoch, as after any change of history.
    ///
    /// - Parameter then: Called at once, as a rule; where another holds the store, once it could be had or not.
    private func renewEpochIfClientIsAhead(
        _ resume: ClientMessage.Resume?, on connection: UInt64, then: @escaping ((any Error)?) -> Void
    ) {
        guard let resume, isAhead(resume) else { return then(nil) }
        if let shared = store.shared {
            return renewShared(in: shared) { [self] in
                isAhead(resume)
            } then: { [self] error in
                if error == nil { logAhead(resume, on: connection) }
                then(error)
            }
        }
        inTurn { [self] isLast in
            // Somebody else's may have done it meanwhile.
            guard isAhead(resume) else {
                then(nil)
                return true
            }
            do {
                try self.kept?.renewEpoch()
                try settleRows(isRenewal: true)
            } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(error)
                return true
            }
            logAhead(resume, on: connection)
            then(nil)
            return true
        }
    }

    private func logAhead(_ resume: ClientMessage.Resume, on connection: UInt64) {
        guard let kept, kept.epoch.description != resume.epoch else { return }
        logger.warning(
            "A client has seen revision \(resume.revision), which the store does not have: new epoch.",
            metadata: ["connection": "\(connection)"])
    }

    private func isAhead(_ resume: ClientMessage.Resume) -> Bool {
        guard let kept, kept.isRestored else { return false }
        return resume.epoch == kept.epoch.description && resume.revision > kept.rows.revision
    }

    /// Starts the initial load for the first watcher, or once more for the next one after it was cancelled. Uses the handler of
    /// `task`, or else that of `refreshable`.
    ///
    /// - Parameter then: called once it has begun, or need not begin; at once where this server alone has the list.
    func loadInitially(then: @escaping () -> Void = {}) {
        let isTooOld = description.maximumAge.map { now.date - (kept?.facts.updatedAt ?? 0) > $0.milliseconds } ?? false
        let isFirst = !hasLoaded && description.initialRows == nil
        guard isFirst || isTooOld || hasChanged, description.handler(for: .initial) != nil else { return then() }
        // What is being cancelled ends first.
        guard gate.current.map({ $0.cancelledAt != nil && !$0.isPage }) ?? true else { return then() }
        // Whoever leads does so by itself, as it hears of watchers elsewhere.
        guard decides else { return then() }
        request(.init(requester: nil, cause: .initial), then: then)
    }
}

/// The digest by which a client can verify that its rows are the list's.
extension LiveList {
    /// Answers with the digest of the newest revision.
    ///
    /// All rows that this client was sent before the answer lead to that revision at most, and those of later revisions come
    /// after it: an answer overtakes rows that wait to be sent, and is overtaken by none. So whoever is not there yet is
    /// on the way, and compares on arrival.
    ///
    /// - Parameter watch: of the one who asks; nil where they don't watch.
    func digest(_ messageID: String, for socket: UInt64, _ watch: WatchID? = nil, to feed: LoopFeed) {
        do {
            try load()
        } catch {
            logUnreadable(error)
            return feed.deliver(
                .replied(
                    socket: socket,
                    ServerMessage.error(id: messageID, code: .unavailable, message: unreadableText, after: 5000)
                        .encoded()))
        }
        guard let kept else { return }
        var ok = watch.flatMap { broadcaster.digest(for: $0, of: kept) } ?? digest(of: kept)
        ok.id = messageID
        feed.deliver(.replied(socket: socket, ServerMessage.ok(ok).encoded()))
    }

    /// Made once for all who ask at one revision.
    private func digest(of kept: PersistentList) -> OK {
        if let digest, digest.revision == kept.rows.revision, digest.epoch == kept.epoch { return digest }
        let digest = OK(
            list: name, epoch: kept.epoch, revision: kept.rows.revision, count: kept.rows.count,
            crc32: kept.rows.digest)
        self.digest = digest
        return digest
    }
}
