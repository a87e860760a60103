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
/// pages ──── seen, PUT ──▶      │ due                │ only then        ▲ │ changes
///                               └── may they read it? ──▶ PushSender     other servers
///                                                             └──▶ push services
/// ```
/// Its state has an executor of its own: neither a socket nor a list waits for the disk, a database or a push service. What
/// waits for the store is written, or read, together.
final class Notifier: @unchecked Sendable {
    /// What there is once a list notifies.
    struct Opened: Sendable {
        let publicKey: String
        let sender: PushSender
        let store: any SubscriptionStore
    }

    /// How far that is.
    enum Opening: Sendable {
        /// No list notifies.
        case none
        /// Its database is away.
        case waiting(any SubscriptionStore)
        case opened(Opened)
    }

    /// How long where a list is may be in memory alone, in milliseconds.
    static let patience: Int64 = 1000

    let executor: ListExecutor
    let lists: ListDirectory
    let authenticator: Authenticator
    let dependencies: NotifierDependencies
    let services: PushServices
    let logger: Logger
    let opening = Locked(Opening.none)
    let senders: AsyncStream<PushSender>
    let start: AsyncStream<PushSender>.Continuation
    let counted = Locked(NotificationCounts())

    // On the executor alone.
    var state = NotificationState()
    var alarm: Int64?
    var isFlushScheduled = false
    var hasFailed = false
    var lines = LogRateLimit()
    /// Those who wait until what has changed is written, and hear whether it is.
    var writers: [(Bool) -> Void] = []
    /// Those who wait until what others have changed is read.
    var readers: [() -> Void] = []
    /// Lists that know that somebody wants to be told of them.
    var subscribedLists: Set<String> = []

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

    /// Reads who has asked, and makes the key if there is none; once, and only if a list notifies. While its database is away, it
    /// waits for it.
    ///
    /// - Throws: `ListStoreError` or `WebPushError`.
    func openIfNeeded() throws {
        guard lists.all.contains(where: { $0.description.notify != nil }) else { return }
        guard case .none = opening.withLock(\.self) else { return }
        let store = try dependencies.openStore()
        opening.withLock { $0 = .waiting(store) }
        do { try open(store) } catch ListStoreError.unavailable where store.isShared {
            // The lists' store tells that it is away, and when it is there again.
        } catch {
            opening.withLock { $0 = .none }
            throw error
        }
        store.onChanges { [weak self] in self?.executor.post { [weak self] in self?.readChanges() } }
    }

    private func open(_ store: any SubscriptionStore) throws {
        let (subscriptions, arrivals) = try store.load()
        let key = try dependencies.key()
        let sender = PushSender(key: key, over: dependencies.transport, capacity: NotificationState.mostOfServer) {
            [weak self] report in self?.executor.post { [weak self] in self?.ended(report) }
        }
        opening.withLock { $0 = .opened(Opened(publicKey: key.publicKey, sender: sender, store: store)) }
        start.yield(sender)
        executor.post { [self] in
            state = NotificationState(subscriptions, arrivals: arrivals, isShared: store.isShared, now: now)
            tellLists()
            advance()
        }
    }

    /// The database may be there now.
    func openAgain(_ store: any SubscriptionStore) {
        do {
            try open(store)
            hasFailed = false
        } catch {
            noteFailure(error)
        }
    }

    /// Hears of a list's rows from now on, and whether they are counted here.
    func follow(_ list: LiveList) {
        let name = list.name
        list.arrivals.hear { [weak self] arrival in
            self?.executor.post { [weak self] in
                guard let self else { return }
                state.arrived(arrival, on: name, now: now)
                advance()
            }
        }
        list.countsArrivals.hear { [weak self, weak list] isCounted in
            self?.executor.post { [weak self, weak list] in
                guard let self else { return }
                guard isCounted else { return state.stopCounting(name) }
                afterReading { [self] in
                    let known = state.subscribedLists[name] ?? nil
                    list?.post { $0.continueCounting(since: known) }
                }
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
                do { try opened?.store.close() } catch {
                    logger.error("Cannot close the file of subscriptions: \(error)")
                }
                continuation.resume()
            }
        }
    }

    var now: Int64 { executor.clock.now.uptime }

    var opened: Opened? { if case .opened(let opened) = opening.withLock(\.self) { opened } else { nil } }
}

/// How many have asked, and what became of the notifications that were due.
struct NotificationCounts: Sendable {
    /// Browsers and lists.
    var subscriptions = 0
    /// By outcome.
    var outcomes: [String: Int] = [:]
}
