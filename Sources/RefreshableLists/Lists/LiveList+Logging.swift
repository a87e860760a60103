import Logging

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
        case .timeout(let deadline): logger.warning("A refresh was silent for \(deadline) and ended.", metadata: about)
        case .failure(let failure): logger.error("A refresh failed: \(detail ?? failure.message)", metadata: about)
        }
    }
}
