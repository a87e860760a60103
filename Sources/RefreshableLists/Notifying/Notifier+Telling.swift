import ListStorage
import Locking
import Logging
import WebPush
import WebSockets

/// What is due is written, and sent.
extension Notifier {
    /// Writes what has changed, sends what is due, and looks again when something will be.
    func advance() {
        let notices = state.takeDue(now: now)
        if state.isUrgent || !notices.isEmpty { flush(telling: notices) } else { flushLater() }
        guard let moment = state.nextMoment, moment < alarm ?? .max else { return }
        alarm = moment
        executor.schedule(at: moment) { [weak self] in
            self?.alarm = nil
            self?.advance()
        }
    }

    func send(_ notice: NotificationState.Notice) {
        let kept = notice.subscription
        guard let list = lists[kept.list], list.description.notify != nil else { return }
        guard authenticator.allows(kept) else { return remove([(kept.id, kept.list)]) }
        do throws(WebPushError) {
            let browser = try PushSubscription(
                endpoint: kept.endpoint, publicKey: kept.publicKey, secret: kept.secret, at: services)
            let message = Notification.message(notice, of: list.listDescription, to: browser)
            opened?.sender.send(message)
        } catch {
            // A service that was allowed before this start, and is no longer.
            logger.notice("A subscription was dropped. \(error)", metadata: ["list": "\(kept.list)"])
            remove([(kept.id, kept.list)])
        }
    }

    func ended(_ report: PushReport) {
        counted.withLock { $0.outcomes[report.outcome.name, default: 0] += 1 }
        switch report.outcome {
        case .accepted, .replaced: break
        case .gone:
            let id = SHA256Digest(of: report.endpoint).hexadecimal
            remove(state.lists(of: id).map { (id, $0) })
        case .refused, .givenUp, .dropped:
            guard let leftOut = lines.take(at: now) else { return }
            var about: Logger.Metadata = ["service": "\(report.service)", "outcome": "\(report.outcome.name)"]
            if case .refused(let status) = report.outcome { about["status"] = "\(status)" }
            if leftOut > 0 { about["leftOut"] = "\(leftOut)" }
            logger.warning("A notification was not sent.", metadata: about)
        }
    }

    /// Tokens were taken away, have other rights, or a browser has signed out.
    func dropForbidden() {
        remove(state.all.filter { !authenticator.allows($0) }.map { ($0.id, $0.list) })
    }

    func remove(_ names: [(id: String, list: String)]) {
        guard !names.isEmpty else { return }
        for (id, list) in names { state.unsubscribe(id, from: list) }
        flush()
        tellLists()
    }

    /// Lists hear whether somebody wants to be told of them.
    func tellLists() {
        let subscribed = state.subscribedLists
        for (name, known) in subscribed where !subscribedLists.contains(name) {
            lists[name]?.post { $0.setSubscribed($0.description.notify != nil, since: known) }
        }
        for name in subscribedLists where subscribed[name] == nil { lists[name]?.post { $0.setSubscribed(false) } }
        subscribedLists = Set(subscribed.keys)
    }
}

/// What has changed is written, and what others have changed is read.
extension Notifier {
    /// Does something once all that has changed is written, with what else is written by then, or could not be.
    func afterWriting(_ body: @escaping (Bool) -> Void) {
        writers.append(body)
        if writers.count == 1 { executor.post { [self] in flush() } }
    }

    func flushLater() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        executor.schedule(at: now + Self.patience) { [weak self] in
            self?.isFlushScheduled = false
            self?.flush()
        }
    }

    /// Writes what has changed, and sends what may be sent then: what can't be kept would be sent again after a restart.
    func flush(telling notices: [NotificationState.Notice] = []) {
        counted.withLock { $0.subscriptions = state.count }
        let waiting = writers
        writers = []
        let changes = state.takeChanges(now: now)
        var isKept = true
        do throws(ListStoreError) {
            let outcomes = try opened?.store.commit(changes) ?? [:]
            hasFailed = false
            for notice in state.settle(notices, outcomes, now: now) { send(notice) }
        } catch {
            state.putBack(changes)
            state.postpone(notices, now: now)
            noteFailure(error)
            isKept = false
        }
        for body in waiting { body(isKept) }
    }

    func noteFailure(_ error: any Error) {
        if !hasFailed { logger.error("Cannot keep who is to be notified, and notifies nobody: \(error)") }
        hasFailed = true
    }

    /// Does something once it is read what other servers have changed so far, or could not be.
    func afterReading(_ body: @escaping () -> Void) {
        readers.append(body)
        if readers.count == 1 { executor.post { [self] in readChanges() } }
    }

    /// Reads what other servers have changed, and writes what could not be written before.
    func readChanges() {
        let waiting = readers
        readers = []
        switch opening.withLock(\.self) {
        case .none: break
        case .waiting(let store): openAgain(store)
        case .opened(let opened) where opened.store.isShared: readChanges(of: opened.store)
        case .opened: break
        }
        for body in waiting { body() }
    }

    private func readChanges(of store: any SubscriptionStore) {
        do throws(ListStoreError) { state.take(try store.changes()) } catch { return noteFailure(error) }
        tellLists()
        if state.hasChanges { flush() }
        counted.withLock { $0.subscriptions = state.count }
        advance()
    }
}

extension PushReport.Outcome {
    /// A word of the metrics.
    var name: String {
        switch self {
        case .accepted: "sent"
        case .gone: "gone"
        case .refused: "refused"
        case .givenUp: "failed"
        case .replaced: "replaced"
        case .dropped: "dropped"
        }
    }

    static let names = ["sent", "gone", "refused", "failed", "replaced", "dropped"]
}

extension Authenticator {
    /// Whether who made a subscription may still read its list: with the token that they showed, by the signing in of that
    /// browser, and without a token as far as that goes now.
    func allows(_ subscription: StoredSubscription) -> Bool {
        var visitor = Visitor.anybody
        if !subscription.owner.isEmpty {
            guard let digest = SHA256Digest(hexadecimal: subscription.owner) else { return false }
            visitor = Visitor(.holder("", digest), [:])
        }
        let signIn = subscription.signIn.map { PresentedToken.SignIn(stored: $0) }
        guard case .stays(let now) = validity(of: visitor, by: signIn) else { return false }
        return now.may(.read, subscription.list)
    }
}
