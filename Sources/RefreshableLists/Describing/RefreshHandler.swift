package import ListSources

/// What a list does in a run, in whichever form it was written.
package enum RefreshHandler: Sendable {
    package typealias Working<Result> = @concurrent @Sendable (RefreshRun) async throws -> Result

    /// What it yields is the list once it has returned.
    case yields(Working<Void>)
    /// It edits the list by itself, and the rows stay as it leaves them.
    case edits(Working<Void>)
    /// It says when it is done, by a call.
    case callsBack(@Sendable (RefreshCompletion) -> Void)
    /// It returns the rows that follow the last one.
    case continues(Working<MorePage>)

    /// Begins the work, on threads for handlers. Its end is told to `run`.
    ///
    /// - Returns: asks the work to stop; it ends when it heeds that.
    func begin(_ run: RefreshRun) -> @Sendable () -> Void {
        switch self {
        case .yields(let work): Self.task(run, work) { .returned }
        case .edits(let work): Self.task(run, work) { .edited }
        case .callsBack(let work): Self.call(RefreshCompletion(run), work)
        case .continues(let work): Self.task(run, work) { .page($0) }
        }
    }

    /// Nobody here holds on to the completion once the work has returned: whoever lets it go uncalled is noticed.
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
