public import KeyedLists
import Locking

/// A source that is made of others: what `map`, `filter`, `joining` and the like give.
///
/// It notices changes if one of those does, and has pages as each of these operations says.
public struct ComposedSource: ChangingSource, PagedSource {
    typealias Rows = @Sendable (any RowSink) async throws -> Void
    typealias Page = @Sendable (ListRow) async throws -> MorePage

    private let run: Rows
    private let page: Page?
    private let changing: [any ChangingSource]

    /// - Parameters:
    ///   - sources: those whose changes it follows.
    ///   - page: nil: it comes in one piece.
    init(_ sources: [any RowSource], run: @escaping Rows, page: Page? = nil) {
        self.run = run
        self.page = page
        changing = sources.compactMap { $0 as? any ChangingSource }
    }

    /// Whether one of its sources has pages that it hands on.
    public var hasPages: Bool { page != nil }

    /// Runs what it is made of.
    ///
    /// - Throws: what that throws, and what its own closures do.
    public func rows(into run: any RowSink) async throws { try await self.run(run) }

    /// Asks the source that has pages for the one that follows.
    public func rows(after last: ListRow) async throws -> MorePage {
        guard let page else { return MorePage([], isLast: true) }
        return try await page(last)
    }

    /// Tells when one of its sources does. Where none can, it ends at once.
    public func changes() -> AsyncStream<Void> {
        let streams = changing.map { $0.changes() }
        let (changes, teller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task {
            await withTaskGroup(of: Void.self) { group in
                for stream in streams {
                    group.addTask { for await change in stream { teller.yield(change) } }
                }
            }
            teller.finish()
        }
        teller.onTermination = { _ in following.cancel() }
        return changes
    }
}

/// Hands the rows of a source on to a run, changed on their way, until one closure throws or there are enough.
final class ForwardingSink: RowSink {
    /// What becomes of rows that came together. Called one at a time.
    typealias Change = @Sendable ([ListRow]) throws -> Passed

    /// Rows that go on, and whether any that follow do.
    struct Passed {
        var rows: [ListRow]
        var isLast = false
    }

    private struct Stop: Error {}

    private enum State {
        case passing
        case full
        case failed(any Error)
    }

    private let run: any RowSink
    private let change: Change
    private let state = Locked(State.passing)
    private let stopped: AsyncStream<Void>
    private let stopper: AsyncStream<Void>.Continuation

    private init(_ run: any RowSink, _ change: @escaping Change) {
        self.run = run
        self.change = change
        (stopped, stopper) = AsyncStream.makeStream()
    }

    /// Runs a source until it ends, or until no more of its rows are wanted: then it is cancelled, and waited for.
    static func pass(
        from source: any RowSource, to run: any RowSink, _ change: @escaping Change
    ) async throws {
        let sink = ForwardingSink(run, change)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await source.rows(into: sink) }
                group.addTask { try await sink.waitForStop() }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is Stop {
            // How it came to that is known by the state.
        }
        if case .failed(let error) = sink.state.withLock({ $0 }) { throw error }
    }

    /// Only a stop ends it before it is cancelled.
    private func waitForStop() async throws {
        for await _ in stopped { throw Stop() }
        throw CancellationError()
    }

    func yield(_ rows: [ListRow]) {
        // Held for as long as the closure runs: rows of two threads go on in the order in which they are changed.
        state.withLock { state in
            guard case .passing = state else { return }
            do {
                let passed = try change(rows)
                if !passed.rows.isEmpty { run.yield(passed.rows) }
                if passed.isLast { state = .full }
            } catch {
                state = .failed(error)
            }
            if case .passing = state { return }
            stopper.yield()
        }
    }

    var checksKeys: Bool { run.checksKeys }

    func progress(_ completed: Int, of total: Int?, note: String?) { run.progress(completed, of: total, note: note) }
}
