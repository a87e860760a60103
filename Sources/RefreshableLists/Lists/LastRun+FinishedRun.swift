import ListProtocol

extension LastRun {
    init(_ run: FinishedRun) {
        self.init(
            run: run.id.description, cause: run.cause == .more ? .more : nil,
            outcome: Outcome(rawValue: run.outcome.name) ?? .failure,
            duration: Int(run.duration.milliseconds), changes: run.changes, error: RunError(run.outcome))
    }
}

extension RunError {
    init?(_ outcome: RefreshOutcome) {
        switch outcome {
        case .success, .cancelled: return nil
        case .failure(let failure):
            self.init(
                code: failure.code, message: failure.message,
                retryAfter: failure.retryAfter.map { Int($0.milliseconds) })
        case .timeout(let deadline):
            self.init(
                code: "timeout",
                message: "Nothing came for \(deadline.words). The list's `deadline` setting allows more.")
        }
    }
}
