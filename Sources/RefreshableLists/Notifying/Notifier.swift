import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Logging
import WebPush
import WebSockets

/// Tells browsers of new rows of lists, by Web Push: those that asked, and nobody else.
///
/// ```
/// LiveList ── Arrival ──▶ NotificationState ── written ──▶ SubscriptionStore
/// pages ──── seen, PUT ──▶      │ due                │ only then
///                               └── may they read it? ──▶ PushSender ──▶ push services
/// ```
/// Its state has an executor of its own: neither a socket nor a list waits for the disk or a push service.
final class Notifier: @unchecked Sendable {
    /// What there is once a list notifies.
    private struct Opened: Sendable {
        let publicKey: String
        let sender: PushSender
        let store: any SubscriptionStore
    }

    /// How long where a list is may be in memory alone, in milliseconds.
    private static let patience: Int64 = 1000

    private let executor: ListExecutor
    private let lists: ListDirectory
    private let authenticator: Authenticator
    private let dependencies: NotifierDependencies
    private let services: PushServices
    private let logger: Logger
    private let opened = Locked<Opened?>(nil)
    private let senders: AsyncStream<PushSender>
    private let start: AsyncStream<PushSender>.Continuation
    private let counted = Locked(NotificationCounts())

    // On the executor alone.
    private var state = NotificationState()
    private var alarm: Int64?
    private var isFlushScheduled = false
    private var hasFailed = false
    private var lines = LogRateLimit()

    init(
        lists: ListDirectory, authenticator: Authenticator, dependencies: NotifierDependencies, services: PushServices,
        pool: ThreadPool, logger: Logger
    ) {
        self.lists = lists
        self.authenticator = authenticator
        self.dependencies = dependencies
        self.services = services
        self.logger = logger
        executor = ListExecutor(on: pool)
        (senders, start) = AsyncStream.makeStream()
        authenticator.onChange { [weak self] in self?.executor.post { [weak self] in self?.dropForbidden() } }
    }

    // MARK: Life

    /// Reads who has asked, and makes the key if there is none; once, and only if a list notifies.
    ///
    /// - Throws: `ListStoreError` or `WebPushError`.
    func openIfNeeded() throws {
        guard lists.all.contains(where: { $0.description.notify != nil }), opened.withLock({ $0 == nil }) else {
            return
        }
        let store = try dependencies.openStore()
        let (subscriptions, arrivals) = try store.load()
        let key = try ApplicationServerKey(file: dependencies.keyFile)
        let sender = PushSender(key: key, over: dependencies.transport, capacity: NotificationState.mostOfServer) {
            [weak self] report in self?.executor.post { [weak self] in self?.ended(report) }
        }
        opened.withLock { $0 = Opened(publicKey: key.publicKey, sender: sender, store: store) }
        start.yield(sender)
        executor.post { [self] in
            state = NotificationState(subscriptions, arrivals: arrivals, now: now)
            for (name, known) in state.subscribedLists {
                lists[name]?.post { $0.setSubscribed($0.description.notify != nil, since: known) }
            }
            advance()
        }
    }

    /// Hears of a list's rows from now on.
    func follow(_ list: LiveList) {
        let name = list.name
        list.arrivals.hear { [weak self] arrival in
            self?.executor.post { [weak self] in
                guard let self else { return }
                state.arrived(arrival, on: name, now: now)
                advance()
            }
        }
        executor.post { [self] in
            guard let known = state.subscribedLists[name] else { return }
            list.post { $0.setSubscribed($0.description.notify != nil, since: known) }
        }
    }

    /// Lists are described otherwise: some may notify now, and some no longer.
    func listsChanged() {
        do { try openIfNeeded() } catch { logger.error("Cannot notify anybody: \(error)") }
        executor.post { [self] in
            for name in state.subscribedLists.keys {
                lists[name]?.post { $0.setSubscribed($0.description.notify != nil) }
            }
        }
    }

    /// Sends what is due until its task is cancelled.
    func run() async { for await sender in senders { await sender.run() } }

    /// Writes what is to be kept, and ends.
    func close() async {
        await withCheckedContinuation { continuation in
            executor.post { [self] in
                flush()
                do { try opened.withLock { $0 }?.store.close() } catch {
                    logger.error("Cannot close the file of subscriptions: \(error)")
                }
                continuation.resume()
            }
        }
    }

    private var now: Int64 { executor.clock.now.uptime }

    // MARK: What pages ask

    /// By which browsers subscribe; nil: no list notifies.
    var publicKey: String? { opened.withLock { $0?.publicKey } }

    /// How many have asked, and what became of what was sent.
    var counts: NotificationCounts { counted.withLock(\.self) }

    /// Tells which of the lists that somebody may read they are told of.
    func answerLists(of id: String, for visitor: Visitor, _ exchange: HTTPExchange) {
        executor.post { [self] in
            var json = JSONWriter()
            json.beginObject()
            json.name("lists")
            json.beginArray()
            for name in state.lists(of: id) where visitor.may(.read, name) { json.value(name) }
            json.endArray()
            json.endObject()
            exchange.answer(.json(200, json.bytes))
        }
    }

    /// Keeps a subscription, and answers once the list counts for it.
    func subscribe(
        _ id: String, to list: LiveList, by visitor: Visitor, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) {
        let subscription: StoredSubscription
        do throws(NotificationRequest.Fault) {
            subscription = try NotificationRequest.subscription(
                request.body, id: id, list: list.name, owner: visitor.digest?.hexadecimal ?? "",
                signIn: PresentedToken.of(request)?.signIn?.stored, site: request.headers["Host"] ?? "localhost",
                services: services)
        } catch { return exchange.answer(.problem(error)) }
        executor.post { [self] in
            let isFirst = state.subscribedLists[list.name] == nil
            do throws(NotificationState.Limit) { try state.subscribe(subscription) } catch {
                return exchange.answer(.tooManySubscriptions(error))
            }
            guard flush() else {
                state.unsubscribe(id, from: list.name)
                return exchange.answer(.problem(503, "The subscription can't be kept at the moment. Ask again later."))
            }
            guard isFirst else { return exchange.answer(HTTPResponse(status: 204)) }
            list.post { list in
                list.setSubscribed(true)
                exchange.answer(HTTPResponse(status: 204))
            }
        }
    }

    func unsubscribe(_ id: String, from list: LiveList, _ exchange: HTTPExchange) {
        executor.post { [self] in
            remove([(id, list.name)])
            exchange.answer(HTTPResponse(status: 204))
        }
    }

    /// Somebody has a list on the screen, or no longer.
    func saw(_ list: LiveList, _ id: String, isLooking: Bool, _ exchange: HTTPExchange) {
        executor.post { [self] in
            guard state.saw(id, list.name, isLooking: isLooking, now: now) else {
                return exchange.answer(
                    .problem(404, "This browser is not told of \"\(list.name)\". Subscribe it first."))
            }
            advance()
            exchange.answer(HTTPResponse(status: 204))
        }
    }

    // MARK: Telling

    /// Writes what has changed, sends what is due, and looks again when something will be.
    private func advance() {
        let notices = state.takeDue(now: now)
        if state.isUrgent {
            // What can't be kept is not sent: it would be sent again after a restart.
            if flush() { for notice in notices { send(notice) } }
        } else {
            flushLater()
        }
        guard let moment = state.nextMoment, moment < alarm ?? .max else { return }
        alarm = moment
        executor.schedule(at: moment) { [weak self] in
            self?.alarm = nil
            self?.advance()
        }
    }

    private func send(_ notice: NotificationState.Notice) {
        let kept = notice.subscription
        guard let list = lists[kept.list], list.description.notify != nil else { return }
        guard authenticator.allows(kept) else { return remove([(kept.id, kept.list)]) }
        do throws(WebPushError) {
            let browser = try PushSubscription(
                endpoint: kept.endpoint, publicKey: kept.publicKey, secret: kept.secret, at: services)
            let message = Notification.message(notice, of: list.listDescription, to: browser)
            opened.withLock { $0 }?.sender.send(message)
        } catch {
            // A service that was allowed before this start, and is no longer.
            logger.notice("A subscription was dropped. \(error)", metadata: ["list": "\(kept.list)"])
            remove([(kept.id, kept.list)])
        }
    }

    private func ended(_ report: PushReport) {
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
    private func dropForbidden() {
        remove(state.all.filter { !authenticator.allows($0) }.map { ($0.id, $0.list) })
    }

    private func remove(_ names: [(id: String, list: String)]) {
        guard !names.isEmpty else { return }
        for (id, list) in names { state.unsubscribe(id, from: list) }
        flush()
        let subscribed = state.subscribedLists
        for list in Set(names.map(\.list)) where subscribed[list] == nil {
            lists[list]?.post { $0.setSubscribed(false) }
        }
    }

    private func flushLater() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        executor.schedule(at: now + Self.patience) { [weak self] in
            self?.isFlushScheduled = false
            self?.flush()
        }
    }

    /// - Returns: Whether all is kept.
    @discardableResult private func flush() -> Bool {
        counted.withLock { $0.subscriptions = state.count }
        let changes = state.takeChanges()
        do throws(ListStoreError) {
            try opened.withLock { $0 }?.store.keep(changes)
            hasFailed = false
            return true
        } catch {
            state.putBack(changes)
            if !hasFailed { logger.error("Cannot keep who is to be notified, and notifies nobody: \(error)") }
            hasFailed = true
            return false
        }
    }
}

/// How many have asked, and what became of the notifications that were due.
struct NotificationCounts: Sendable {
    /// Browsers and lists.
    var subscriptions = 0
    /// By outcome.
    var outcomes: [String: Int] = [:]
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
