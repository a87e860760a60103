import CoreMetrics
import ListStorage
import Locking
import WebSockets

/// A server's figures: gathered from its loops and lists when somebody asks, and for a program's own backend every ten
/// seconds; kept and printed here.
///
/// ```
/// GET /metrics ─▶ ServerMetrics ── post ──▶ each loop: a copy of its plain numbers; lists have published theirs
///                      │ ◀──────── post ──┘
///                      ▼
///                 Instruments ─▶ PrometheusMetrics ─▶ text
///                            └─▶ MetricsSystem.factory, if the program has bootstrapped one
/// ```
/// Its state has an executor of its own: however much there is to print, neither a socket nor a list waits.
final class ServerMetrics: @unchecked Sendable {
    /// How long a loop may take to say its figures; then its last ones count. In milliseconds.
    private static let patience: Int64 = 2000
    /// Between two reports to a program's own backend, in milliseconds.
    private static let period: Int64 = 10_000

    private let executor: ListExecutor
    private let lists: ListDirectory
    private let sessions: SessionRegistry
    private let authenticator: Authenticator
    private let notifier: Notifier?
    /// Nil where the store is this server's alone.
    private let store: (any SharedListStore)?
    private let storeInstruments: StoreInstruments?
    private let page: PrometheusMetrics
    private let hasBackend: Bool
    private let handlers = Locked<[SessionHandler]>([])

    private let instruments: Locked<Instruments>

    // On the executor alone.
    private var gathering: MetricsCollection?
    private var rounds = 0
    private var sessionStatistics: [Int: LoopSessionStatistics] = [:]
    private var waiting: [@Sendable (String) -> Void] = []

    /// - Parameters:
    ///   - pool: whose threads do the work.
    ///   - store: the one that servers share, if they do.
    ///   - backend: the program's own; none if it has bootstrapped none.
    init(
        lists: ListDirectory, sessions: SessionRegistry, authenticator: Authenticator, pool: ThreadPool,
        notifier: Notifier? = nil, store: (any SharedListStore)? = nil,
        backend: any MetricsFactory = MetricsSystem.factory
    ) {
        self.notifier = notifier
        self.lists = lists
        self.sessions = sessions
        self.authenticator = authenticator
        executor = ListExecutor(on: pool)
        page = backend as? PrometheusMetrics ?? PrometheusMetrics()
        hasBackend = !(backend is NOOPMetricsHandler || backend is PrometheusMetrics)
        var instruments = Instruments([page] + (hasBackend ? [backend] : []))
        self.store = store
        storeInstruments = store.map { _ in StoreInstruments(&instruments) }
        self.instruments = Locked(instruments)
        store?.onDurations { [storeInstruments] in storeInstruments?.ended($0, after: $1) }
    }

    func start() { if hasBackend { scheduleReport() } }

    /// Lets go of the desks, which know it.
    func stop() { handlers.withLock { $0 = [] } }

    // MARK: Those who have figures

    /// The handler of another loop; loops are numbered from 0 in the order in which they ask.
    func loopSessions(on loop: ServiceLoop, of context: ServerContext) -> SessionHandler {
        handlers.withLock { handlers in
            let loopSessions = SessionHandler(
                loop: loop, context: context, instruments: loopInstruments("\(handlers.count)"))
            handlers.append(loopSessions)
            return loopSessions
        }
    }

    private func loopInstruments(_ loop: String) -> LoopInstruments {
        instruments.withLock { instruments in
            LoopInstruments(
                broadcasts: instruments.timers(.broadcasts, [loop]), lag: instruments.timers(.lag, [loop]))
        }
    }

    /// Has the durations of a list's runs recorded from now on.
    func follow(_ list: LiveList) {
        let name = list.name
        list.finishedRuns.hear { [instruments] run in
            let timers = instruments.withLock { $0.timers(.runDurations, [name, run.outcome.name]) }
            for timer in timers { timer.recordNanoseconds(run.duration.nanoseconds) }
        }
    }

    /// Has a list read what another server may have changed, and records how far it was behind if there was something.
    ///
    /// - Parameter heard: when this server heard of it.
    func read(_ list: LiveList, since heard: ContinuousClock.Instant, by signal: ChangeSignal) {
        list.post { [storeInstruments] list in
            let before = list.counts.revisionsTaken
            list.readShared { _ in
                let count = list.counts.revisionsTaken - before
                guard count > 0 else { return }
                storeInstruments?.caughtUp(after: heard.duration(to: .now), by: signal, revisions: count)
            }
        }
    }

    // MARK: Gathering

    /// The current metrics as text. From any thread; `tell` is called on another.
    func print(_ tell: @escaping @Sendable (String) -> Void) {
        executor.post { [self] in
            waiting.append(tell)
            gather()
        }
    }

    private func scheduleReport() {
        executor.schedule(at: executor.clock.now.uptime + Self.period) { [weak self] in
            guard let self else { return }
            gather()
            scheduleReport()
        }
    }

    /// Who asks while figures are on their way gets those.
    private func gather() {
        guard gathering == nil else { return }
        let handlers = handlers.withLock { $0 }
        rounds += 1
        let round = rounds
        gathering = MetricsCollection(number: round, missing: handlers.count)
        if handlers.isEmpty { return finish(round) }
        for (number, loopSessions) in handlers.enumerated() {
            loopSessions.post { loopSessions in
                let statistics = loopSessions.statistics
                self.executor.post { self.heard(round) { self.sessionStatistics[number] = statistics } }
            }
        }
        executor.schedule(at: executor.clock.now.uptime + Self.patience) { [weak self] in self?.finish(round) }
    }

    private func heard(_ round: Int, _ keep: () -> Void) {
        keep()
        if gathering?.heard(round) == true { finish(round) }
    }

    /// For a loop or list that has not answered, its last values are used.
    private func finish(_ round: Int) {
        guard gathering?.number == round else { return }
        gathering = nil
        let lists = lists.all.map(\.statistics)
        let handlers = sessionStatistics.sorted { $0.key < $1.key }.map(\.value)
        instruments.withLock { instruments in
            instruments.report(handlers)
            instruments.report(sessions: sessions.count)
            instruments.report(authenticator.refusals)
            if let counts = notifier?.counts { instruments.report(counts) }
            instruments.report(lists, watchedOn: handlers)
            if let store {
                instruments.report(store.statistics, isAvailable: store.fault == nil, lists: lists)
            }
        }
        let text = waiting.isEmpty ? "" : page.text
        for tell in waiting { tell(text) }
        waiting = []
    }
}

/// One round of asking all loops and lists for their figures.
struct MetricsCollection {
    /// Tells an answer to this round from one that came too late for an earlier one.
    let number: Int
    /// How many have not answered yet.
    private var missing: Int

    init(number: Int, missing: Int) {
        self.number = number
        self.missing = missing
    }

    /// Somebody answered.
    ///
    /// - Returns: whether that was the last answer to this round.
    mutating func heard(_ round: Int) -> Bool {
        guard round == number else { return false }
        missing -= 1
        return missing == 0
    }
}

/// Answers `GET /metrics`, for clients that may read it.
struct MetricsPage: Sendable {
    let metrics: ServerMetrics
    let readers: MetricsReaders

    /// From a loop's thread; answers later.
    func answer(_ request: HTTPRequest, by visitor: Visitor, _ exchange: HTTPExchange) {
        if let refusal = refusal(of: request, by: visitor) { return exchange.answer(refusal) }
        metrics.print { text in
            exchange.answer(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": PrometheusMetrics.contentType, "Cache-Control": "no-store"],
                    body: Array(text.utf8)))
        }
    }

    private func refusal(of request: HTTPRequest, by visitor: Visitor) -> HTTPResponse? {
        if readers == .off { return .text(404, "There is nothing at \(request.path).") }
        guard request.method == "GET" || request.method == "HEAD" else { return .notAllowed(request, "GET, HEAD") }
        if readers == .all || request.isLocal && !visitor.isOnlooker { return nil }
        return .text(
            403,
            "Only programs on this machine may read the metrics. \(SettingNames[.metrics]) lets others read them.")
    }
}

/// Who may read `/metrics`, where the names of lists stand and how much is going on.
public enum MetricsReaders: String, CaseIterable, Hashable, Sendable {
    /// Nobody: there is nothing at `/metrics`.
    case off
    /// Programs on this machine, unless the request came through a proxy.
    case local
    /// Whoever can reach the server.
    case all
}
