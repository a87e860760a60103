import KeyedLists

/// Hands the rows of a source on to a run, changed on their way, until one closure throws or there are enough.
final class PassingSink: RowSink {
    /// What becomes of rows that came together. Called one at a time.
    typealias Change = @Sendable ([Row]) throws -> Passed

    /// Rows that go on, and whether any that follow do.
    struct Passed {
        var rows: [Row]
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
        let sink = PassingSink(run, change)
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

    func yield(_ rows: [Row]) {
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

    func progress(_ completed: Int, of total: Int?, note: String?) { run.progress(completed, of: total, note: note) }
}
