public import KeyedLists
public import ListSources
import Locking
import WebSockets

/// The work of a run, in one of the forms in which a handler can be written.
package enum RefreshHandler: Sendable {
    package typealias Working<Result> = @concurrent @Sendable (RefreshRun) async throws -> Result

    /// The rows that it yields become the list when it returns.
    case yields(Working<Void>)
    /// It edits the list itself; the rows stay as it leaves them.
    case edits(Working<Void>)
    /// It calls a completion when it is done.
    case callsBack(@Sendable (RefreshCompletion) -> Void)
    /// It returns the rows that follow the last one.
    case continues(Working<MorePage>)
    /// The source is asked for each window that is looked at.
    case reads(any WindowSource)

    /// Begins the work on the handler threads, and reports its end to `run`.
    ///
    /// - Parameter windows: those that are looked at, as soon as they are to be read.
    /// - Returns: A function that asks the work to stop. The work ends when it responds to that.
    func begin(
        _ run: RefreshRun, reading windows: @escaping @Sendable () async -> [ListView: Window]
    ) -> @Sendable () -> Void {
        switch self {
        case .yields(let work): Self.task(run, work) { .returned }
        case .edits(let work): Self.task(run, work) { .edited }
        case .callsBack(let work): Self.call(RefreshCompletion(run), work)
        case .continues(let work): Self.task(run, work) { .page($0) }
        case .reads(let source):
            Self.task(run) { run in
                try await source.prepare { run.progress($0, of: $1, note: $2) }
                return try await source.read(await windows())
            } _: {
                .windows($0)
            }
        }
    }

    /// Calls the work with its completion. Keeps no reference to the completion once the work has returned, so that its
    /// `deinit` runs if the handler releases it without calling it.
    private static func call(
        _ completion: RefreshCompletion, _ work: @escaping @Sendable (RefreshCompletion) -> Void
    ) -> @Sendable () -> Void {
        let cancel = completion.canceller
        Task.detached(executorPreference: HandlerExecutor.shared) { work(completion) }
        return cancel
    }

    private static func task<Result: SendableMetatype>(
        _ run: RefreshRun, _ work: @escaping Working<Result>, _ ending: @escaping @Sendable (Result) -> RunEvent
    ) -> @Sendable () -> Void {
        let task = Task.detached(executorPreference: HandlerExecutor.shared) {
            do {
                run.end(ending(try await work(run)))
            } catch {
                run.end(.threw(error))
            }
        }
        return { task.cancel() }
    }
}

/// One run of a list's handler: it receives the handler's rows and progress.
///
/// The run ends when the handler returns or throws, so await all work inside it: rows from a task that outlives the
/// handler are rejected. Every method may be called from any thread and never blocks.
public final class RefreshRun: RowSink {
    /// The run's identifier, as clients see it.
    public let id: RunID
    /// Why the run began.
    public let cause: RefreshCause
    fileprivate let post: @Sendable (RunEvent) -> Void

    init(id: RunID, cause: RefreshCause, post: @escaping @Sendable (RunEvent) -> Void) {
        self.id = id
        self.cause = cause
        self.post = post
    }

    /// Adds a row. Clients see it within 50 ms in `stream` mode, and when the run succeeds in `replace` mode.
    public func yield(_ row: ListRow) { post(.rows([row])) }

    /// Adds rows, in order.
    public func yield(_ rows: [ListRow]) {
        if !rows.isEmpty { post(.rows(rows)) }
    }

    /// Adds a text or a value of your own as a row.
    @_disfavoredOverload
    public func yield(_ row: some RowConvertible) { yield(row.row) }

    /// Adds texts or values of your own as rows, in order.
    @_disfavoredOverload
    public func yield<Rows: Sequence>(_ rows: Rows) where Rows.Element: RowConvertible { yield(rows.map(\.row)) }

    /// Shows clients how far the work is. Each report restarts the run's deadline.
    ///
    /// - Parameters:
    ///   - completed: how many units are done.
    ///   - total: how many units there are; nil if that is unknown, and the indicator then shows no fraction.
    ///   - note: a few words, such as "page 3".
    public func progress(_ completed: Int, of total: Int? = nil, _ note: String? = nil) {
        post(.progress(RunProgress(completed: completed, total: total, note: note)))
    }

    /// Shows clients how far the work is, as ``progress(_:of:_:)`` does: the form that `RowSink` requires.
    public func progress(_ completed: Int, of total: Int?, note: String?) { progress(completed, of: total, note) }
}

extension RefreshRun {
    /// Reports that the handler is done.
    func end(_ event: RunEvent) { post(event) }
}

/// Ends a run from a callback, for work that cannot be awaited.
///
/// ```swift
/// RefreshableList("mailbox").onRefresh { done in
///     legacyMailbox.check { letters, error in
///         if let error { done.fail(error) } else { done(letters.map { ListRow($0.id, title: $0.subject) }) }
///     }
/// }
/// ```
///
/// It belongs to one run. The first call of `done(…)` or `fail(_:)` ends it, at once, though the code that called may
/// go on; all later ones do nothing, and what is yielded then is rejected. Call it from any thread, now or later; it
/// never blocks. If it is never called the run ends as timed out at its deadline, and as failed as soon as the last
/// reference to it is gone.
public final class RefreshCompletion: Sendable {
    private struct State {
        var isOver = false
        var hasYielded = false
        var isCancelled = false
        var whenCancelled: [@Sendable () -> Void] = []
    }

    private let run: RefreshRun
    private let state: Locked<State>

    init(_ run: RefreshRun) {
        self.run = run
        state = Locked(State())
    }

    deinit { end(.threw(RefreshAbandoned())) }

    /// The run's identifier, as clients see it.
    public var id: RunID { run.id }

    /// Why the run began.
    public var cause: RefreshCause { run.cause }

    /// Whether the rows are no longer wanted: the run was cancelled, or its deadline has passed. Then stop.
    public var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Has something done when the run is cancelled, as a task's handler for it: at once where it was already.
    ///
    /// - Parameter stop: stops the work. Called once at most, on the list's thread: answer at once. It should not hold
    ///   on to this completion, which could then not be let go.
    public func onCancel(_ stop: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled, !state.isOver { state.whenCancelled.append(stop) }
            return state.isCancelled && !state.isOver
        }
        if isLate { stop() }
    }

    // MARK: Ending

    /// Ends the run with success. What was yielded is the list; where nothing was, the rows stay as they are.
    public func callAsFunction() { end(state.withLock(\.hasYielded) ? .returned : .edited) }

    /// Ends the run with success: these rows, after those that were yielded before, are the list.
    public func callAsFunction(_ rows: [ListRow]) { end(.returned, yielding: rows) }

    /// Ends the run with success: these texts or values, after what was yielded before, are the list.
    @_disfavoredOverload
    public func callAsFunction<Rows: Sequence>(_ rows: Rows) where Rows.Element: RowConvertible {
        callAsFunction(rows.map(\.row))
    }

    /// Ends the run as a failure; the rows stay. A `RefreshFailure` has the message that people read.
    public func fail(_ error: any Error) { end(.threw(error)) }

    // MARK: While it runs

    /// Adds a row.
    public func yield(_ row: ListRow) { yield([row]) }

    /// Adds rows, in order.
    public func yield(_ rows: [ListRow]) {
        let isOver = state.withLock { state in
            state.hasYielded = true
            return state.isOver
        }
        if !isOver { run.yield(rows) }
    }

    /// Adds a text or a value of your own as a row.
    @_disfavoredOverload
    public func yield(_ row: some RowConvertible) { yield([row.row]) }

    /// Reports progress, as `RefreshRun.progress` does.
    public func progress(_ completed: Int, of total: Int? = nil, _ note: String? = nil) {
        run.progress(completed, of: total, note)
    }

    // MARK: Its list

    /// Called to cancel the work. The closure keeps no reference to the completion.
    var canceller: @Sendable () -> Void {
        { [state] in
            let stops = state.withLock { state in
                defer { state.whenCancelled = [] }
                state.isCancelled = true
                return state.isOver ? [] : state.whenCancelled
            }
            for stop in stops { stop() }
        }
    }

    private func end(_ event: RunEvent, yielding rows: [ListRow] = []) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            state.whenCancelled = []
            return !state.isOver
        }
        guard isFirst else { return }
        run.yield(rows)
        run.end(event)
    }
}

/// The error of a run whose completion was released without being called.
struct RefreshAbandoned: Error {}
