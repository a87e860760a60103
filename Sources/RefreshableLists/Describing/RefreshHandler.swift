/// What a list does in a run, in whichever form it was written.
package enum RefreshHandler: Sendable {
    package typealias Working = @concurrent @Sendable (RefreshRun) async throws -> Void

    /// What it yields is the list once it has returned.
    case yields(Working)
    /// It edits the list by itself, and the rows stay as it leaves them.
    case edits(Working)
    /// It says when it is done, by a call.
    case callsBack(@Sendable (RefreshCompletion) -> Void)

    /// Begins the work on the concurrent pool. Its end is told to `run`.
    ///
    /// - Returns: asks the work to stop; it ends when it heeds that.
    func begin(_ run: RefreshRun) -> @Sendable () -> Void {
        switch self {
        case .yields(let work): Self.task(run, ending: .returned, work)
        case .edits(let work): Self.task(run, ending: .edited, work)
        case .callsBack(let work): Self.call(RefreshCompletion(run), work)
        }
    }

    /// Nobody here holds on to the completion once the work has returned: whoever lets it go uncalled is noticed.
    private static func call(
        _ completion: RefreshCompletion, _ work: @escaping @Sendable (RefreshCompletion) -> Void
    ) -> @Sendable () -> Void {
        Task.detached { work(completion) }
        return { [weak completion] in completion?.cancel() }
    }

    private static func task(
        _ run: RefreshRun, ending: RunEvent, _ work: @escaping Working
    ) -> @Sendable () -> Void {
        let task = Task.detached {
            do {
                try await work(run)
                run.end(ending)
            } catch {
                run.end(.threw(error))
            }
        }
        return { task.cancel() }
    }
}
