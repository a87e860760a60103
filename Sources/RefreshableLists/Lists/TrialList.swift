package import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Logging
import WebSockets

/// A list in memory that is loaded once, to see what its source gives: the same run, limits and deadline as when it is
/// served, and nobody watches.
package final class TrialList: Sendable {
    /// What came of it.
    package struct Result: Sendable {
        /// How the run ended.
        package var outcome: RefreshOutcome
        /// In order; none unless it succeeded.
        package var rows: [ListRow]
        /// The source's own error, for the operator; nil if the outcome has all of it.
        package var detail: String?
        /// How long it took.
        package var duration: Duration

        package init(outcome: RefreshOutcome, rows: [ListRow], detail: String?, duration: Duration) {
            self.outcome = outcome
            self.rows = rows
            self.detail = detail
            self.duration = duration
        }
    }

    private let live: LiveList
    private let pool = ThreadPool(clock: SystemClock(), threads: 1)
    private let thrown: Locked<(any Error)?>

    /// The list as it would be served.
    package init(_ description: RefreshableList) {
        let thrown = Locked<(any Error)?>(nil)
        self.thrown = thrown
        live = LiveList(
            description.readingItsTop.noting { error in thrown.withLock { $0 = error } }, store: MemoryStore(),
            executor: ListExecutor(on: pool), limits: Limits(), logger: .quiet)
    }

    /// Runs the source once. Ends early, as cancelled, when its task is.
    package func load() async -> Result {
        pool.start()
        defer { pool.stop() }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await LiveList.RefreshAction(live)()
        let duration = clock.now - start
        let detail = thrown.withLock { $0 }.flatMap { RefreshFailure.explaining($0).detail }
        let rows: [ListRow]
        do { rows = outcome.isSuccess ? try await live.rows : [] } catch {
            preconditionFailure("A list in memory cannot be read: \(error)")
        }
        await live.end()
        return Result(outcome: outcome, rows: rows, detail: detail, duration: duration)
    }
}

extension RefreshableList {
    /// The list, with the first rows of a source that is asked for windows.
    fileprivate var readingItsTop: Self {
        guard let source = windows else { return self }
        return refreshable { run in
            try await source.prepare { _, _, _ in }
            run.yield(try await source.rows(in: ListView.top.window, of: RowQuery())?.rows ?? [])
        }
    }

    /// The list, with the original errors of its source.
    fileprivate func noting(_ note: @escaping @Sendable (any Error) -> Void) -> Self {
        with { list in
            guard case .yields(let work)? = list.handler else { return }
            list.handler = .yields { run in
                do { try await work(run) } catch {
                    note(error)
                    throw error
                }
            }
        }
    }
}
