import DequeModule

/// What was answered within the last ten minutes, by key, so that what is sent again is not done again.
///
/// Of more than fit, the oldest are forgotten.
struct RecentAnswers<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// How long a key is remembered, in milliseconds.
    private static var age: Int64 { 10 * 60 * 1000 }

    private let capacity: Int
    private var answers: [Key: (answer: Answer, time: Int64)] = [:]
    /// Keys in order of time.
    private var order = Deque<Key>()

    /// - Parameter capacity: how many keys are remembered: at a hundred a second, all of ten minutes.
    init(capacity: Int = 65_536) { self.capacity = capacity }

    /// How many are kept; some may be too old to be given again.
    var count: Int { answers.count }

    subscript(key: Key, now: Moment) -> Answer? {
        guard let (answer, time) = answers[key], now.uptime - time < Self.age else { return nil }
        return answer
    }

    mutating func remember(_ answer: Answer, for key: Key, _ now: Moment) {
        prune(now)
        if answers.updateValue((answer, now.uptime), forKey: key) == nil { order.append(key) }
    }

    private mutating func prune(_ now: Moment) {
        while let key = order.first, let known = answers[key],
            answers.count >= capacity || now.uptime - known.time >= Self.age
        {
            answers[key] = nil
            order.removeFirst()
        }
    }
}
