import DequeModule

/// What was answered within the last ten minutes, by key, so that what is sent again is not done again.
///
/// Of more than fit, and of more than other lists leave of what all may keep (`MemoryShare`), the oldest are forgotten. What
/// has become too old is to be dropped at `nextExpiry`, whether anybody asks or not: then its memory is free again.
struct IdempotencyCache<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    /// How long a key is remembered, in milliseconds.
    private static var age: Int64 { 10 * 60 * 1000 }

    /// How many a list keeps however many others do.
    private static var least: Int { 64 }

    private let capacity: Int
    private let part: MemoryShare.Part
    private var answers: [Key: (answer: Answer, time: Int64)] = [:]
    /// Keys in order of time.
    private var order = Deque<Key>()

    /// - Parameters:
    ///   - share: keys that all lists may keep.
    ///   - capacity: how many keys are remembered: at a hundred a second, all of ten minutes.
    init(of share: MemoryShare, capacity: Int = 65_536) {
        part = MemoryShare.Part(of: share)
        self.capacity = capacity
    }

    /// How many are kept; some may be too old to be given again.
    var count: Int { answers.count }

    /// When the oldest is to be dropped (uptime); nil where there is none.
    var nextExpiry: Int64? { order.first.flatMap { answers[$0] }.map { $0.time + Self.age } }

    subscript(key: Key, now: Moment) -> Answer? {
        guard let (answer, time) = answers[key], now.uptime - time < Self.age else { return nil }
        return answer
    }

    mutating func remember(_ answer: Answer, for key: Key, _ now: Moment) {
        dropExpired(now)
        if answers[key] == nil { makeRoom() }
        guard answers.updateValue((answer, now.uptime), forKey: key) == nil else { return }
        order.append(key)
        part.take(1)
    }

    /// For one more.
    private mutating func makeRoom() {
        let before = answers.count
        while answers.count >= capacity || answers.count >= Self.least && part.isTooMuch(1),
            let oldest = order.popFirst()
        {
            answers[oldest] = nil
        }
        part.give(before - answers.count)
    }

    mutating func forgetAll() {
        part.give(answers.count)
        answers = [:]
        order = []
    }

    /// Drops what is too old.
    mutating func dropExpired(_ now: Moment) {
        let before = answers.count
        while let key = order.first, let known = answers[key], now.uptime - known.time >= Self.age {
            answers[key] = nil
            order.removeFirst()
        }
        part.give(before - answers.count)
        // Neither of them gives memory back by itself.
        guard before > answers.count, answers.capacity > 64, answers.count * 4 < answers.capacity else { return }
        answers = Dictionary(uniqueKeysWithValues: answers.map { ($0.key, $0.value) })
        order = Deque(order)
    }
}
