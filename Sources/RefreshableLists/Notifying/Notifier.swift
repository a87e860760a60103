import KeyedLists
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
    struct Opened: Sendable {
        let publicKey: String
        let sender: PushSender
        let store: any SubscriptionStore
    }

    /// How long where a list is may be in memory alone, in milliseconds.
    static let patience: Int64 = 1000

    let executor: ListExecutor
    let lists: ListDirectory
    let authenticator: Authenticator
    let dependencies: NotifierDependencies
    let services: PushServices
    let logger: Logger
    let opened = Locked<Opened?>(nil)
    let senders: AsyncStream<PushSender>
    let start: AsyncStream<PushSender>.Continuation
    let counted = Locked(NotificationCounts())

    // On the executor alone.
    var state = NotificationState()
    var alarm: Int64?
    var isFlushScheduled = false
    var hasFailed = false
    var lines = LogRateLimit()

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

    var now: Int64 { executor.clock.now.uptime }
}

/// How many have asked, and what became of the notifications that were due.
struct NotificationCounts: Sendable {
    /// Browsers and lists.
    var subscriptions = 0
    /// By outcome.
    var outcomes: [String: Int] = [:]
}
