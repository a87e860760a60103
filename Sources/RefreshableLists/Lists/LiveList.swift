import KeyedLists
package import ListProtocol
import ListSources
package import ListStorage
import Locking
package import Logging
import WebSockets

/// A list that a server serves: its rows, its runs and its watchers.
///
/// An actor with an executor of its own, on threads of lists alone: never on the pool that handlers may block, and not held
/// up by other lists. Whatever happens to a list comes in by `post` and is done in that order, without a suspension inside:
/// compute, commit, then publish. So nothing interleaves, and no two changes share a revision. A change for which the store
/// can't be had at once waits in a queue (`ChangeQueue`), and what only reads goes on.
public actor LiveList {
    /// The list's name in URLs and messages.
    public nonisolated let name: String
    /// As it is described now.
    nonisolated let described: Locked<RefreshableList>
    let logger: Logger
    let limits: Limits
    let store: any ListStore
    nonisolated let executor: ListExecutor

    /// Nil until first used: lists are read lazily.
    var kept: PersistentList?
    /// What people see of a long list while it is being read.
    var headStart: HeadStart?
    var gate: RefreshGate
    var work: RunWork?
    /// What is to be kept, while it can't be.
    var queue = ChangeQueue()
    /// What is under way with a store that other servers use, too.
    var shared = SharedWork()
    /// A change of more rows is heavy: to find what differs, and to keep it, takes more than a few milliseconds. Where a test
    /// moves the clock, none is, so that nothing happens between two lines of it.
    var heavyCount: Int
    /// What is to be done with the heavy change that is under way.
    var heavyChange: ((BackgroundChange) -> Void)?
    var broadcaster: ListBroadcaster
    var last: LastRun?
    /// Whether a run other than a page has ended since the start, well or not. One that was cancelled says nothing about what
    /// there is: the next watcher begins another.
    var hasLoaded = false
    /// Reads the source's changes, once the list has been watched.
    var following: Task<Void, Never>?
    /// Whether the source has changed since the last run began, without a watcher.
    var hasChanged = false
    /// Whether the last page declared that no rows follow.
    var isExhausted = false
    /// The last run that was a refresh: gestures see no others.
    var lastRefresh: RunID?
    /// Whether the server has ended, or the list was removed: then nothing is stored or begun.
    var hasEnded = false
    /// Why the server could not serve; nil where it was told to stop.
    var endReason: String?
    /// Whether the server is about to stop: no run begins any more.
    var isDraining = false
    /// Those who wait for runs to end.
    var waiters: [RunID: [RunWaiter]] = [:]
    var remembered: RefreshAnswers
    var rememberedPushes: PushAnswers
    var isForgettingScheduled = false
    lazy var pushLimits = PushLimits(limits)
    var counts = ListCounts()
    /// What people do to its rows.
    var acting = Acting()
    /// Those who wait for what a query finds.
    var searchers: [RowQuery: [Searcher]] = [:]
    /// What is being read of it, where its source is asked for windows.
    var sourceReading = SourceReading()
    /// What people have not seen of its rows.
    var unread = UnreadRows()
    /// Handlers that have not returned although their run has ended.
    var overdueHandlers = 0 { didSet { publishFigures() } }
    /// The last run of which the log was told that it yielded rows after its end.
    var lateRun: RunID?
    var scheduledWake: Int64?
    /// Observers of the list in code, and the phase that they saw last.
    nonisolated let transitions = Observers<PhaseTransition>()
    nonisolated let finishedRuns = Observers<FinishedRun>()
    nonisolated let arrivals = Observers<Arrival>()
    /// Whether this server counts arrivals from now on; then it waits to hear since when (`continueCounting`).
    nonisolated let countsArrivals = Observers<Bool>()
    var followers = ChangeFollowers()
    /// Whether somebody wants to be told of new rows.
    var isSubscribed = false
    var arrivalCounting = ArrivalCounting.off
    var toldPhase = Phase.waiting
    /// What others may know without asking the list.
    private let published: Locked<ListStatistics>
    /// The newest digest that was requested.
    var digest: OK?
    /// The rows as they were last sent over HTTP, until they change.
    var document: RowsDocument
    /// Why it can't be read, as the log has it; nil once it was read.
    var unreadable: String?
    /// Why nothing can be kept, as the log has it; nil once something was.
    private var unkept: String?

    /// The serial executor on which the list runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter memory: what it and other lists store for clients.
    init(
        _ description: RefreshableList, store: any ListStore, executor: ListExecutor, limits: Limits,
        memory: SharedMemory, logger: Logger
    ) {
        name = description.name
        described = Locked(description)
        published = Locked(ListStatistics(name: description.name))
        self.store = store
        self.limits = limits
        self.executor = executor
        heavyCount = executor.clock.runsByItself ? 4096 : .max
        var logger = logger
        logger[metadataKey: "list"] = "\(description.name)"
        self.logger = logger
        gate = RefreshGate(rules: description.gateRules, runs: 0, now: executor.clock.now)
        broadcaster = ListBroadcaster(list: description.name, frameLimit: limits.serverFrame, share: memory.rows)
        remembered = RefreshAnswers(of: memory.answers)
        rememberedPushes = PushAnswers(of: memory.answers)
        document = RowsDocument(of: memory.rows)
    }

    /// A list by itself, whose memory for clients is shared with no other.
    package init(
        _ description: RefreshableList, store: any ListStore, executor: ListExecutor, limits: Limits, logger: Logger
    ) {
        self.init(
            description, store: store, executor: executor, limits: limits,
            memory: SharedMemory(MemoryBudget(MachineMemory.forVisitors, connections: 1)), logger: logger)
    }

    /// A list that was dropped without an end hears of no more changes, and what would tell it is let go.
    deinit { following?.cancel() }

    /// Enqueues a closure to run on the list's executor, after all others or before them. Call it from any thread; it returns
    /// at once.
    package nonisolated func post(
        first isFirst: Bool = false, _ entry: @escaping @Sendable (isolated LiveList) -> Void
    ) {
        executor.post(first: isFirst) { self.assumeIsolated(entry) }
    }

    var now: Moment { executor.clock.now }

    /// Tells everybody what the list is doing.
    func publishState() {
        guard let revision = kept?.revision ?? headStart?.head.revision, let told = toldState() else { return }
        let frame = ListStateFrame.Told(told.state, refresh: told.refresh)
        broadcaster.publish(told.state, run: told.run, told: frame, revision: revision)
        publishFigures()
    }

    /// What people are to be told now.
    private func toldState() -> ToldState? {
        if shared.lead.holdsBack {
            shared.lead.isBehind = true
            let told = shared.lead.told?.stale(since: shared.awaySince)
            guard let told, told.state != shared.lead.published else { return nil }
            shared.lead.published = told.state
            return told
        }
        let told = decidedState
        if store.shared != nil {
            (shared.lead.told, shared.lead.published, shared.lead.isBehind) = (told, told?.state, false)
        }
        return told
    }

    /// What the list is doing, as people are told once it is kept.
    var decidedState: ToldState? {
        let refresh = gate.current.flatMap { $0.isPage ? nil : $0.run } ?? lastRefresh
        return currentState.map {
            ToldState(state: $0, run: gate.current?.run, refresh: refresh, staleSince: facts?.staleSince)
        }
    }

    /// What the list is doing.
    var currentState: ListState? {
        guard let facts else { return nil }
        var state = ListState(
            list: name, phase: .waiting, updatedAt: facts.updatedAt, staleSince: staleSince,
            hasMore: description.pages != nil && !isExhausted, last: last)
        switch gate.phase {
        case .waiting: break
        case .closing:
            state.phase = .closing
            state.run = last?.run
        case .loading(let current):
            state.phase = .loading
            state.run = current.run.description
            state.cause = ListState.Cause(rawValue: current.cause.rawValue)
            state.startedAt = current.startedAt.date
        }
        return state
    }

    /// Since when its rows could not be refreshed, or the store is away.
    var staleSince: Int64? { facts?.staleSince ?? shared.awaySince }

    /// What is kept besides its rows; nil before anything was read.
    private var facts: StoredFacts? { kept?.facts ?? headStart?.head.facts }

    /// The list's statistics as it published them last. From any thread, without waiting.
    nonisolated var statistics: ListStatistics { published.withLock(\.self) }

    /// Publishes the list's statistics, and tells who follows its rows: after each change, before its caller is answered.
    func publishFigures() {
        let statistics = currentFigures
        published.withLock { $0 = statistics }
        tellFollowers()
    }

    /// Commits a change and sends it to all watchers. Throws `busy` if another program holds the store.
    func commitNow(by run: RunID?, _ change: (inout KeyedList) throws -> Commit?) throws {
        try settleRows()
        guard !hasEnded, var kept else { return }
        self.kept = nil
        let commit: Commit?
        do {
            defer {
                self.kept = kept
                if kept.isInDoubt { settleAfterFailure() }
                publishFigures()
            }
            commit = try kept.commit(at: now, change)
        }
        guard let commit else { return }
        publish(commit, by: run, of: kept)
        publishFigures()
    }

    /// Sends a stored commit to all watchers.
    func publish(_ commit: Commit, by run: RunID?, of kept: PersistentList) {
        unkept = nil
        counts.revisions += 1
        document.forget()
        if run != nil { work?.changes += commit.changes } else { work?.edits += commit.changes }
        broadcaster.publish(commit, of: kept, by: run)
        let isNews = isNews(commit, by: run)
        noteUnread(commit, isNews: isNews)
        tellArrivals(commit, in: kept.epoch, isNews: isNews)
    }

    /// Whether the rows of a commit are news to people: not those of the list's first load, whoever writes them, nor those of
    /// a page. The first load of a list with rows of its own is its first commit.
    private func isNews(_ commit: Commit, by run: RunID?) -> Bool {
        if run != nil, work?.cause == .more { return false }
        guard description.initialRows == nil else { return commit.revision > 1 }
        return work == nil || kept?.facts.updatedAt != nil
    }

    /// Something happened to the store.
    func storeEvent(_ event: StoreEvent) {
        switch event {
        case .renewed: storeChanged()
        case .lost: storeIsThere(false)
        case .recovered:
            storeIsThere(true)
            readIfChosen()
        case .weak: break
        }
    }

    /// Something else than this server may have changed what is kept: it is read again, and where it is another history,
    /// those who watch are sent all of it.
    func storeChanged() {
        guard !hasEnded, kept != nil else { return }
        kept?.doubt()
        settleAfterFailure()
    }

    /// Rows that a failed commit left in doubt are read again before anybody sees them.
    ///
    /// - Parameter isRenewal: Whether this server has given them another epoch: all that it has kept is in them.
    func settleRows(isRenewal: Bool = false) throws {
        guard var kept, kept.isInDoubt else { return }
        self.kept = nil
        defer {
            self.kept = kept
            publishFigures()
        }
        let settlement = try kept.settle()
        unreadable = nil
        switch settlement {
        case .asTheyWere: break
        case .patch(let patch): broadcaster.publish(patch, of: kept, from: nil)
        case .anew(let revision):
            // What was pushed into the other history may be gone: who sends it again means it.
            if !isRenewal { rememberedPushes.forget() }
            document.forget()
            broadcaster.publishAnew(kept, after: revision)
            self.kept = kept
            gate.skipRuns(upTo: kept.facts.runs)
            last = lastRun(of: kept.facts) ?? last
            publishState()
        }
    }

    func settleAfterFailure() {
        do { try settleRows() } catch { logUnreadable(error) }
    }

    /// Logs why the list can't be read, unless that was logged since it was last read.
    func logUnreadable(_ error: any Error) {
        switch error as? ListStoreError {
        // A store tells that it is away once for all lists, and is closed when the server stops.
        case .unavailable, .unsuitable, .closed: return
        default: break
        }
        let reason = "\(error)"
        guard unreadable != reason, unkept != reason else { return }
        unreadable = reason
        logger.error("Cannot read the list: \(reason)")
    }

    /// Logs why a push can't be stored, unless that was logged since one was last stored.
    func logUnkept(_ reason: String) {
        guard store.shared?.fault == nil else { return }
        guard unkept != reason, unreadable != reason else { return }
        unkept = reason
        logger.error("Cannot store a push: \(reason)")
    }
}

extension LiveList {
    /// The one line about a run that is over.
    ///
    /// - Parameter detail: what nobody but the log is told of its failure.
    func log(_ run: FinishedRun, detail: String?) {
        let about: Logger.Metadata = [
            "run": "\(run.id)", "cause": "\(run.cause.rawValue)", "outcome": "\(run.outcome.name)",
            "milliseconds": "\(run.duration.milliseconds)", "inserted": "\(run.changes.inserted)",
            "changed": "\(run.changes.changed)", "moved": "\(run.changes.moved)", "removed": "\(run.changes.removed)",
        ]
        switch run.outcome {
        case .success: logger.info("A refresh ended.", metadata: about)
        case .cancelled: logger.info("A refresh was cancelled.", metadata: about)
        case .timeout(let deadline):
            logger.warning("A refresh had no output for \(deadline) and was ended.", metadata: about)
        case .failure(let failure): logger.error("A refresh failed: \(detail ?? failure.message)", metadata: about)
        }
    }
}
