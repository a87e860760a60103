/// The answers to requests with a key, so that one sent twice has the effect of one; and the last runs' outcomes.
struct RefreshAnswers {
    private static let mostRuns = 64

    private var answers: IdempotencyCache<IdempotencyKey, RefreshGate.Answer>
    private var runs: [FinishedRun] = []

    /// - Parameter share: keys that all lists may keep.
    init(of share: MemoryShare) { answers = IdempotencyCache(of: share) }

    /// How many keys are known.
    var count: Int { answers.count }

    /// The answer given to this key within the last ten minutes. A run that it started counts as joined now.
    subscript(key: IdempotencyKey, now: Moment) -> RefreshGate.Answer? { answers[key, now] }

    /// A run that ended not long ago.
    subscript(run: RunID) -> FinishedRun? { runs.last { $0.id == run } }

    /// When the oldest is to be dropped (uptime).
    var nextExpiry: Int64? { answers.nextExpiry }

    mutating func dropExpired(_ now: Moment) { answers.dropExpired(now) }

    mutating func remember(_ answer: RefreshGate.Answer, for key: IdempotencyKey, _ now: Moment) {
        answers.remember(answer, for: key, now)
    }

    mutating func remember(_ run: FinishedRun) {
        runs.append(run)
        if runs.count > Self.mostRuns { runs.removeFirst() }
    }
}
