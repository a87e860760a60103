import ListProtocol
import Pulling

extension LastRun {
    init(_ run: FinishedRun) {
        self.init(
            run: run.id.description, outcome: Outcome(rawValue: run.outcome.name) ?? .failure,
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

extension Duration {
    /// In words for people: `30 s`, `700 ms`.
    var words: String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }
}

extension RefreshableList {
    /// How the list wants to be pulled, in the words of the wire.
    var pullDescription: PullDescription {
        PullDescription(
            trigger: pull.trigger.rawValue, threshold: pull.threshold, minimum: pull.minimum, hold: pull.hold,
            hysteresis: pull.hysteresis, haptics: haptics, indicator: indicator, texts: texts)
    }
}
