import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// Those who watch a list come, go, and fall behind.
extension LiveList {

    /// Somebody watches. They are delivered an attachment, and from then on every commit.
    ///
    /// - Parameter mayRefresh: whether they are told that the list can be refreshed, if it can.
    func attach(
        _ watch: WatchID, messageID: String?, resume: ClientMessage.Resume?, mayRefresh: Bool = true, to feed: LoopFeed
    ) {
        guard !hasEnded else {
            return feed.deliver(.failed(watch, messageID: messageID, "The list \(name) is not there any more."))
        }
        do { try load() } catch {
            broadcaster.join(feed, at: 0)
            return fail(watch, messageID: messageID, error, to: feed)
        }
        guard let kept else { return }
        broadcaster.join(feed, at: kept.rows.revision)
        perform(gate.watchers(broadcaster.count, now: now))
        renewEpochIfClientIsAhead(resume, on: watch.socket) { [self] error in
            if let error { return fail(watch, messageID: messageID, error, to: feed) }
            // First, so that no change falls between the load and the first look.
            follow()
            loadInitially()
            feed.deliver(
                .attached(attachment(watch, messageID: messageID, resume: resume, mayRefresh: mayRefresh)))
            publishFigures()
        }
    }

    private func fail(_ watch: WatchID, messageID: String?, _ error: any Error, to feed: LoopFeed) {
        logUnreadable(error)
        feed.deliver(.failed(watch, messageID: messageID, "The list \(name) cannot be read at the moment."))
    }

    /// Somebody no longer watches.
    func detach(from feed: LoopFeed) {
        broadcaster.leave(feed)
        perform(gate.watchers(broadcaster.count, now: now))
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
        feed.deliver(.folded(base: base, broadcaster.rows(since: base, of: kept, now: now)))
        publishFigures()
    }

    private func attachment(
        _ watch: WatchID, messageID: String?, resume: ClientMessage.Resume?, mayRefresh: Bool
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
        let description = listDescription
        ok.title = description.title
        ok.refreshable = mayRefresh && description.refreshable
        ok.pull = description.pull
        return WatchStart(
            watch: watch, messageID: messageID, ok: ServerMessage.ok(ok).encoded(), rows: rows,
            revision: kept.rows.revision)
    }

    /// - Parameter then: Called at once, as a rule; where another holds the store, once it could be had or not.
    private func renewEpochIfClientIsAhead(
        _ resume: ClientMessage.Resume?, on connection: UInt64, then: @escaping ((any Error)?) -> Void
    ) {
        guard let resume, isAhead(resume) else { return then(nil) }
        inTurn { [self] isLast in
            // Somebody else's may have done it meanwhile.
            guard let kept, isAhead(resume) else {
                then(nil)
                return true
            }
            do { try self.kept?.renewEpoch() } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(error)
                return true
            }
            logger.warning(
                "A client has seen revision \(resume.revision), the store ends at \(kept.rows.revision): new epoch.",
                metadata: ["connection": "\(connection)"])
            broadcaster.forgetSnapshots()
            then(nil)
            return true
        }
    }

    private func isAhead(_ resume: ClientMessage.Resume) -> Bool {
        guard let kept, kept.isRestored else { return false }
        return resume.epoch == kept.epoch.description && resume.revision > kept.rows.revision
    }

    /// The first watcher starts the initial load, by the handler that refreshes unless there is one for it.
    private func loadInitially() {
        let isTooOld = description.maximumAge.map { now.date - (kept?.facts.updatedAt ?? 0) > $0.milliseconds } ?? false
        let isFirst = !hasLoaded && description.initialRows == nil
        guard isFirst || isTooOld || hasChanged, description.handler(for: .initial) != nil, gate.current == nil else {
            return
        }
        _ = request(.init(requester: nil, cause: .initial))
    }
}
