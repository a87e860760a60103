public import KeyedLists
import ListProtocol
package import ListStorage
import Locking
import Logging
public import RefreshableLists
import WebSockets

/// A list in memory, for tests of its handler: with simulated users and a manual clock.
///
/// ```swift
/// @Test func pullBringsNewMail() async {
///     let list = TestedList(RefreshableList("mailbox").refreshable { try await mailbox.fetch() })
///     let ann = await list.person()
///     await list.settle()                                    // the initial load is over
///
///     await ann.pull(to: 80)
///     #expect(ann.phase == .primed)
///     await ann.release()
///     #expect(list.phase == .loading)
///     await list.settle()                                    // the handler has returned
///
///     #expect(await list.titles == ["Hello"])
///     #expect(list.outcomes.last?.outcome == .success)
/// }
/// ```
///
/// No socket, no disk, no waiting: everything else is what a `RefreshableServer` serves, the gesture and the runs too.
/// It imports no test framework and serves any.
///
/// **Nothing moves between two lines of a test.** Handlers go on while the test awaits `settle()`, `advance(by:)` or
/// `refresh()`, and time passes in `advance(by:)` alone. So what a test reads is the same each time.
public final class TestedList: Sendable {
    /// The list, as `server["name"]` gives it: for the code under test that edits it, or calls its refresh action.
    public let live: LiveList
    /// The time of the list and its handler.
    public let clock: ManualClock
    let executor: ListExecutor
    private let pool: ThreadPool
    let pace = HandlerSchedule()
    /// How long a handler may be at work, in real time, before a wait gives it up.
    let patience: Duration
    let record = Locked(Record())

    /// What the list did so far.
    struct Record: Sendable {
        var transitions: [PhaseTransition] = []
        var runs: [FinishedRun] = []
    }

    /// A list without watchers and runs.
    ///
    /// - Parameters:
    ///   - description: As it is given to a `RefreshableServer`.
    ///   - clock: Give one that the handler waits on too, if it waits.
    ///   - patience: The real time for which `settle()` waits for a handler that neither ends nor waits for the test.
    public convenience init(
        _ description: RefreshableList, clock: ManualClock = ManualClock(), patience: Duration = .seconds(10)
    ) {
        self.init(description, clock: clock, patience: patience, store: MemoryStore())
    }

    package init(
        _ description: RefreshableList, clock: ManualClock = ManualClock(), patience: Duration = .seconds(10),
        store: any ListStore
    ) {
        self.clock = clock
        self.patience = patience
        pool = ThreadPool(clock: ManualListClock(clock: clock), threads: 1)
        executor = ListExecutor(on: pool)
        live = LiveList(
            description.paced(by: pace), store: store, executor: executor, limits: Limits(),
            logger: Logger(label: "refreshable") { _ in SwiftLogNoOpLogHandler() })
        pool.start()
        live.hear { [record, pace] transition in
            record.withLock { $0.transitions.append(transition) }
            pace.noteChange()
        } runs: { [record, pace] run in
            record.withLock { $0.runs.append(run) }
            pace.ended(run.id)
        }
    }

    deinit {
        // A handler that a test has left behind would otherwise be held for ever.
        pace.letRun()
        pool.stop()
    }

    // MARK: Who refreshes

    /// Somebody opens the page. The first one starts the initial load, where the list has one.
    public func person() async -> TestedPerson { TestedPerson(await live.session(), of: live) }

    /// Begins a refresh as code does that does not wait for its end.
    ///
    /// - Parameter fresh: `after` wants a run that begins from now on, not the one under way.
    @discardableResult
    public func start(fresh: LiveList.RefreshAction.Freshness = .join) async -> PullAnswer {
        PullAnswer(await live.begin(isAfter: fresh == .after))
    }

    /// Refreshes as code does, and waits for the end. A handler that waits for the clock or at a gate keeps this waiting:
    /// ``start(fresh:)`` does not.
    ///
    /// - Returns: the run; nil where the list refused one.
    @discardableResult
    public func refresh(fresh: LiveList.RefreshAction.Freshness = .join) async -> FinishedRun? {
        await pace.letMove {
            guard let run = await start(fresh: fresh).run else { return nil }
            return await end(of: run)
        }
    }

    private func end(of run: RunID) async -> FinishedRun? {
        while true {
            let serial = pace.serial
            if let finished = record.withLock({ $0.runs.last { $0.id == run } }) { return finished }
            await pace.change(since: serial)
        }
    }

    // MARK: What happened

    /// Where the list is.
    public var phase: LiveList.Phase { transitions.last?.to ?? .waiting }

    /// Where the list has been, from the beginning: `[.waiting, .loading, .closing, …]`.
    public var phases: [LiveList.Phase] { [.waiting] + transitions.filter { $0.stage == .did }.map(\.to) }

    /// Every change of phase, before and after it happened, with the run and its cause.
    public var transitions: [PhaseTransition] { record.withLock(\.transitions) }

    /// The runs that ended, oldest first: how, and what they did to the list.
    public var outcomes: [FinishedRun] { record.withLock(\.runs) }

    /// What handlers threw, oldest first. People read a text that is meant for them; this is all of it.
    public var errors: [any Error] { pace.errors }

    /// The rows, in order.
    public var rows: [ListRow] {
        get async {
            do { return try await live.rows } catch { preconditionFailure("A list in memory cannot be read: \(error)") }
        }
    }

    /// The keys of the rows, in order.
    public var keys: [String] { get async { await rows.map(\.key.string) } }

    /// The titles of the rows, in order; "" where there is none.
    public var titles: [String] { get async { await rows.map { $0.title ?? "" } } }
}

/// Handlers go on, and time passes.
extension TestedList {
    /// Lets handlers go on until each has ended or waits for the test: at a ``HandlerGate``, or for the ``ManualClock``.
    /// Time stands still.
    ///
    /// A handler that calls back (`onRefresh`) counts as waiting once it has returned; one of several concurrent tasks,
    /// as soon as one of them waits.
    ///
    /// - Returns: false where `patience` ran out over a handler that does neither. It is then still at work.
    @discardableResult
    public func settle() async -> Bool {
        await pace.letMove {
            let end = ContinuousClock.now + patience
            let alarm = Task { [pace, patience] in
                try await Task.sleep(for: patience)
                pace.noteChange()
            }
            defer { alarm.cancel() }
            while ContinuousClock.now < end {
                let serial = pace.serial
                let isIdle = pace.isIdle(await live.currentRun)
                // What handlers told the list before they came to rest is done by the time it answers again.
                let run = await live.currentRun
                if isIdle, pace.isIdle(run), pace.serial == serial { return true }
                if pace.serial == serial { await pace.change(since: serial) }
            }
            return false
        }
    }

    /// Lets time pass for the list and its handler: deadlines, `every`, `then(after:)`, sleeps on the clock.
    ///
    /// Everything happens at its own moment and in its order, however far the step is: a handler that sleeps for 3 s
    /// three times has done so after one step of 9 s.
    public func advance(by duration: Duration) async {
        await settle()
        let end = clock.now.advanced(by: duration)
        while let moment = nextMoment, moment <= end { await move(to: moment) }
        await move(to: end)
    }

    /// From now on handlers do not wait for the test.
    package func letHandlersRun() { pace.letRun() }

    private var nextMoment: ManualClock.Instant? {
        let timer = executor.nextDue.map { ManualClock.Instant(offset: .milliseconds($0)) }
        return [timer, clock.nextEnd].compactMap(\.self).min()
    }

    private func move(to moment: ManualClock.Instant) async {
        clock.move(to: moment)
        executor.lookAtTheClock()
        await settle()
    }
}
