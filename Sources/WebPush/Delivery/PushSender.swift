#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Sends messages to browsers, several at a time, until its task is cancelled. What waits then is dropped.
///
/// ```swift
/// let sender = PushSender(key: key, over: transport) { report in … }
/// sender.send(message)                 // from any thread, returns at once
/// await sender.run()
/// ```
public final class PushSender: Sendable {
    private enum Event: Sendable {
        case message(PushMessage)
        case answered(DeliveryQueue.ID, PushMessage, PushAnswer)
        case forget(endpoint: String)
        /// A moment has come at which something may be sent.
        case due
    }

    /// Messages on their way at a time.
    public static let concurrency = 32

    private let key: ApplicationServerKey
    private let transport: any PushTransport
    private let capacity: Int
    private let report: @Sendable (PushReport) -> Void
    private let events: AsyncStream<Event>
    private let post: AsyncStream<Event>.Continuation

    /// - Parameters:
    ///   - capacity: messages that may wait; more are reported as dropped.
    ///   - report: called with what became of each message, from any thread.
    public init(
        key: ApplicationServerKey, over transport: any PushTransport, capacity: Int = 10_000,
        report: @escaping @Sendable (PushReport) -> Void
    ) {
        self.key = key
        self.transport = transport
        self.capacity = capacity
        self.report = report
        (events, post) = AsyncStream.makeStream()
    }

    /// Sends a message when its turn comes, in place of one of the same topic that waits.
    public func send(_ message: PushMessage) { post.yield(.message(message)) }

    /// Sends nothing more to an endpoint that waits.
    public func forget(endpoint: String) { post.yield(.forget(endpoint: endpoint)) }

    /// Sends until its task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            var queue = DeliveryQueue(capacity: capacity, concurrency: Self.concurrency)
            var alarm: Int64?
            for await event in events {
                let now = Self.uptime
                if let alarmed = alarm, alarmed <= now { alarm = nil }
                take(event, in: &queue, now: now)
                while let (id, message) = queue.next(now: now) {
                    group.addTask { await self.deliver(message, id) }
                }
                guard let moment = queue.nextMoment(now: now), moment < alarm ?? .max else { continue }
                alarm = moment
                group.addTask { await self.wake(after: .milliseconds(moment - now)) }
            }
            group.cancelAll()
        }
    }

    private func take(_ event: Event, in queue: inout DeliveryQueue, now: Int64) {
        switch event {
        case .message(let message):
            if !queue.add(message, now: now) { report(PushReport(message, .dropped)) }
        case .answered(let id, let message, let answer):
            let outcome = queue.answered(id, answer, now: now, jitter: .random(in: 0...1))
            if case .ended(let outcome) = outcome { report(PushReport(message, outcome)) }
        case .forget(let endpoint): queue.forget(endpoint)
        case .due: break
        }
    }

    private func deliver(_ message: PushMessage, _ id: DeliveryQueue.ID) async {
        let request = EncryptedMessage(message, signedBy: key, now: Self.secondsSince1970)
        var answer = PushAnswer.later(after: nil)
        do { answer = try await transport.post(request) } catch {
            // A service that can't be reached is one that answers later: the report says in the end that it was given up.
        }
        post.yield(.answered(id, message, answer))
    }

    private func wake(after wait: Duration) async {
        do { try await Task.sleep(for: wait) } catch { return }
        post.yield(.due)
    }
}

/// What became of a message.
public struct PushReport: Sendable {
    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        /// The push service has it.
        case accepted
        /// The subscription is no more, and is to be forgotten.
        case gone
        /// The service does not take it.
        case refused(status: Int)
        /// It was sent again and again, in vain.
        case givenUp
        /// A newer message says it.
        case replaced
        /// Too many were waiting.
        case dropped
    }

    /// Where it was to go.
    public let endpoint: String
    /// The push service, for the log: the endpoint is a secret.
    public let service: String
    /// How it ended.
    public let outcome: Outcome

    init(_ message: PushMessage, _ outcome: Outcome) {
        endpoint = message.subscription.endpoint
        service = message.subscription.service
        self.outcome = outcome
    }
}

extension PushSender {
    /// Milliseconds since the machine's start; never goes back.
    static var uptime: Int64 { read(CLOCK_MONOTONIC).milliseconds }

    /// For signatures, whose end push services check.
    static var secondsSince1970: Int64 { read(CLOCK_REALTIME).seconds }

    private static func read(_ clock: clockid_t) -> (seconds: Int64, milliseconds: Int64) {
        var time = timespec()
        clock_gettime(clock, &time)
        return (Int64(time.tv_sec), Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
