/// Messages that wait to be sent, and when each is sent. A pure rule: the time is passed in, in milliseconds of a clock that
/// never goes back.
///
/// ```
/// add ─▶ waiting ── next ──▶ on its way ── answered ──▶ accepted · gone · refused · given up
///           ▲                                  │
///           └────────── later, so often ───────┘
/// ```
/// Of a subscription and a topic, one message at most waits: a newer one takes its place. A service that asks for time gets
/// it from all messages.
struct DeliveryQueue {
    /// What becomes of a message.
    enum Outcome: Hashable {
        /// It is over, like this.
        case ended(PushReport.Outcome)
        /// It waits to be sent again.
        case waits
    }

    /// Identifies a message that is on its way.
    typealias ID = Int

    private struct Slot: Hashable {
        let endpoint: String
        let topic: String
    }

    private struct Entry {
        var message: PushMessage
        var attempts = 0
        var notBefore: Int64
    }

    /// Messages at most, waiting and on their way.
    let capacity: Int
    /// Messages on their way at most.
    let concurrency: Int
    /// How often a message is sent at most.
    static let attempts = 5
    /// How long a service may have us wait, in milliseconds.
    static let longestPause: Int64 = 3_600_000
    /// Before the second attempt, in milliseconds; before each further one four times as long.
    private static let firstPause: Int64 = 2000

    private var waiting: [Slot: Entry] = [:]
    /// Those waiting, the first to come first; some have gone since.
    private var order: [Slot] = []
    private var sent: [ID: (slot: Slot, entry: Entry)] = [:]
    /// The slots of those: one message at a time, so that an older one does not come after a newer one.
    private var busy: Set<Slot> = []
    private var pauses: [String: Int64] = [:]
    private var lastID = 0

    init(capacity: Int, concurrency: Int) {
        self.capacity = capacity
        self.concurrency = concurrency
    }

    /// How many there are.
    var count: Int { waiting.count + sent.count }

    /// Takes a message.
    ///
    /// - Returns: Whether there was room.
    mutating func add(_ message: PushMessage, now: Int64) -> Bool {
        let slot = Slot(endpoint: message.subscription.endpoint, topic: message.topic)
        if waiting[slot] == nil {
            guard count < capacity else { return false }
            order.append(slot)
        }
        waiting[slot] = Entry(message: message, notBefore: now)
        return true
    }

    /// The next message to send, which is on its way from now on; nil: none may be sent yet.
    mutating func next(now: Int64) -> (id: ID, message: PushMessage)? {
        guard sent.count < concurrency else { return nil }
        guard let index = order.firstIndex(where: { isDue($0, now) }) else { return nil }
        let slot = order.remove(at: index)
        guard var entry = waiting.removeValue(forKey: slot) else { preconditionFailure("What is in order waits.") }
        entry.attempts += 1
        lastID += 1
        sent[lastID] = (slot, entry)
        busy.insert(slot)
        return (lastID, entry.message)
    }

    /// When the next message may be sent at the earliest; nil: none waits, or as many are on their way as may be.
    func nextMoment(now: Int64) -> Int64? {
        guard sent.count < concurrency else { return nil }
        return order.lazy.compactMap { moment(of: $0) }.min().map { max($0, now) }
    }

    /// A service has answered, or has not.
    ///
    /// - Parameter jitter: from 0 to 1, so that messages do not come back together.
    mutating func answered(_ id: ID, _ answer: PushAnswer, now: Int64, jitter: Double) -> Outcome {
        guard let (slot, entry) = sent.removeValue(forKey: id) else {
            preconditionFailure("What is answered was sent.")
        }
        busy.remove(slot)
        switch answer {
        case .accepted: return .ended(.accepted)
        case .gone:
            forget(slot.endpoint)
            return .ended(.gone)
        case .refused(let status): return .ended(.refused(status: status))
        case .later(let wait):
            if let wait { pause(entry.message.subscription.service, for: wait, now: now) }
            // A newer one says all that this one says.
            if waiting[slot] != nil { return .ended(.replaced) }
            guard entry.attempts < Self.attempts else { return .ended(.givenUp) }
            let pause = Double(Self.firstPause << (2 * (entry.attempts - 1)))
            waiting[slot] = Entry(
                message: entry.message, attempts: entry.attempts, notBefore: now + Int64(pause * (0.75 + jitter / 2)))
            order.append(slot)
            return .waits
        }
    }

    /// Sends nothing more to an endpoint.
    mutating func forget(_ endpoint: String) {
        order.removeAll { $0.endpoint == endpoint }
        waiting = waiting.filter { $0.key.endpoint != endpoint }
    }

    private mutating func pause(_ service: String, for wait: Duration, now: Int64) {
        pauses = pauses.filter { $0.value > now }
        let milliseconds = min(Self.longestPause, wait.components.seconds * 1000)
        pauses[service] = max(pauses[service] ?? 0, now + milliseconds)
    }

    private func isDue(_ slot: Slot, _ now: Int64) -> Bool { moment(of: slot).map { $0 <= now } ?? false }

    private func moment(of slot: Slot) -> Int64? {
        guard let entry = waiting[slot], !busy.contains(slot) else { return nil }
        return max(entry.notBefore, pauses[entry.message.subscription.service] ?? 0)
    }
}
