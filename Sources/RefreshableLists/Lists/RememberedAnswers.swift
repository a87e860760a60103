/// The answers to requests with a key, so that one sent twice has the effect of one; and the last runs' outcomes.
struct RememberedAnswers {
    /// How long a key is remembered, and how many are.
    private static let age: Int64 = 10 * 60 * 1000
    private static let mostKeys = 4096
    private static let mostRuns = 64

    private var answers: [RequestKey: (answer: RefreshGate.Answer, at: Int64)] = [:]
    /// Keys, oldest first.
    private var order: [RequestKey] = []
    private var runs: [FinishedRun] = []

    /// The answer given to this key within the last ten minutes. A run that it started counts as joined now.
    subscript(key: RequestKey, now: Moment) -> RefreshGate.Answer? {
        guard let (answer, at) = answers[key], now.uptime - at < Self.age else { return nil }
        return answer
    }

    /// A run that ended not long ago.
    subscript(run: RunID) -> FinishedRun? { runs.last { $0.id == run } }

    mutating func remember(_ answer: RefreshGate.Answer, for key: RequestKey, _ now: Moment) {
        if answers.updateValue((answer, now.uptime), forKey: key) == nil { order.append(key) }
        guard order.count > Self.mostKeys else { return }
        for old in order.prefix(order.count / 2) { answers[old] = nil }
        order.removeFirst(order.count / 2)
    }

    mutating func remember(_ run: FinishedRun) {
        runs.append(run)
        if runs.count > Self.mostRuns { runs.removeFirst() }
    }
}
