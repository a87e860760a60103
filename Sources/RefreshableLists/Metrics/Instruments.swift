import CoreMetrics
import ListProtocol
import WebPush
import WebSockets

/// One instrument of swift-metrics for each metric and set of labels, in each backend; made when first needed.
///
/// Not to be shared among threads. What it is told are totals, of which backends hear how much they grew.
struct Instruments {
    private struct Key: Hashable {
        let metric: Metric
        let labels: [String]

        /// The list that it is about, if it is about one. `list` is always the first label.
        var list: String? { metric.labels.first == "list" ? labels.first : nil }

        var dimensions: [(String, String)] { Array(zip(metric.labels, labels)) }
    }

    private struct Total {
        let counters: [FloatingPointCounter]
        var value = 0.0
    }

    private let factories: [any MetricsFactory]
    private var totals: [Key: Total] = [:]
    private var levels: [Key: [Meter]] = [:]
    private var timers: [Key: [Timer]] = [:]
    private var recorders: [Key: [Recorder]] = [:]

    init(_ factories: [any MetricsFactory]) { self.factories = factories }

    /// The current value of a total. If it fell, it was restarted.
    mutating func total(_ metric: Metric, _ labels: [String] = [], is value: Double) {
        let key = Key(metric: metric, labels: labels)
        var total =
            totals[key]
            ?? Total(
                counters: factories.map {
                    FloatingPointCounter(label: metric.rawValue, dimensions: key.dimensions, factory: $0)
                })
        let growth = value < total.value ? value : value - total.value
        total.value = value
        totals[key] = total
        guard growth > 0 else { return }
        for counter in total.counters { counter.increment(by: growth) }
    }

    mutating func total(_ metric: Metric, _ labels: [String] = [], is value: Int) {
        total(metric, labels, is: Double(value))
    }

    /// Something is at so much now.
    mutating func level(_ metric: Metric, _ labels: [String] = [], is value: Double) {
        let key = Key(metric: metric, labels: labels)
        let meters =
            levels[key]
            ?? factories.map { Meter(label: metric.rawValue, dimensions: key.dimensions, factory: $0) }
        levels[key] = meters
        for meter in meters { meter.set(value) }
    }

    mutating func level(_ metric: Metric, _ labels: [String] = [], is value: Int) {
        level(metric, labels, is: Double(value))
    }

    /// What times are recorded by, from any thread.
    mutating func timers(_ metric: Metric, _ labels: [String]) -> [Timer] {
        let key = Key(metric: metric, labels: labels)
        let made =
            timers[key]
            ?? factories.map { Timer(label: metric.rawValue, dimensions: key.dimensions, factory: $0) }
        timers[key] = made
        return made
    }

    /// What numbers are recorded by, from any thread; it is of no list.
    mutating func recorders(_ metric: Metric) -> [Recorder] {
        let key = Key(metric: metric, labels: [])
        let made = recorders[key] ?? factories.map { Recorder(label: metric.rawValue, factory: $0) }
        recorders[key] = made
        return made
    }

    /// Forgets all that is about lists other than these.
    mutating func keep(lists: Set<String>) {
        let isGone: (Key) -> Bool = { key in key.list.map { !lists.contains($0) } ?? false }
        for (key, total) in totals where isGone(key) {
            for counter in total.counters { counter.destroy() }
            totals[key] = nil
        }
        for (key, meters) in levels where isGone(key) {
            for meter in meters { meter.destroy() }
            levels[key] = nil
        }
        for (key, made) in timers where isGone(key) {
            for timer in made { timer.destroy() }
            timers[key] = nil
        }
    }
}

extension Instruments {
    /// The statistics of the loops, in order.
    mutating func report(_ handlers: [LoopSessionStatistics]) {
        for (number, loopSessions) in handlers.enumerated() { report(loopSessions, of: "\(number)") }
        report(.closedSockets, handlers.map { $0.loop.closedSockets }) { "\($0)" }
        report(.responses, handlers.map { $0.loop.responses }) { "\($0)" }
        report(.refusals, handlers.map { $0.loop.refusals }, all: Refusal.allCases) { $0.rawValue }
        report(.errors, handlers.map { $0.counts.errors }, all: ErrorCode.allCases) { $0.rawValue }
    }

    /// The number of sessions, of connected and of disconnected clients.
    mutating func report(sessions: Int) { level(.sessions, is: sessions) }

    /// Rejections for lack of a token or a right, besides those of the loops.
    mutating func report(_ refusals: [AccessRefusal: Int]) {
        report(.refusals, [refusals], all: AccessRefusal.allCases) { $0.rawValue }
    }

    /// Who is to be notified, and what became of it.
    mutating func report(_ notifications: NotificationCounts) {
        level(.subscriptions, is: notifications.subscriptions)
        report(.notifications, [notifications.outcomes], all: PushReport.Outcome.names) { $0 }
    }

    /// The statistics of the lists, and of the loops for them.
    mutating func report(_ lists: [ListStatistics], watchedOn handlers: [LoopSessionStatistics]) {
        keep(lists: Set(lists.map(\.name)))
        level(.lists, is: lists.count)
        for list in lists {
            report(list)
            level(.watches, [list.name], is: handlers.reduce(0) { $0 + ($1.watches[list.name] ?? 0) })
            total(.conflations, [list.name], is: handlers.reduce(0) { $0 + ($1.counts.conflations[list.name] ?? 0) })
        }
    }

    private mutating func report(_ loopSessions: LoopSessionStatistics, of loop: String) {
        let statistics = loopSessions.loop
        level(.connections, [loop], is: statistics.connections)
        level(.sockets, [loop], is: statistics.sockets)
        total(.acceptedConnections, [loop], is: statistics.acceptedConnections)
        total(.openedSockets, [loop], is: statistics.openedSockets)
        for (compression, traffic) in [("none", statistics.plain), ("deflate", statistics.compressed)] {
            total(.sentFrames, [loop, compression], is: traffic.frames)
            total(.sentBytes, [loop, compression], is: traffic.bytes)
        }
        total(.inflatedBytes, [loop], is: statistics.inflatedBytes)
        total(.receivedMessages, [loop], is: statistics.receivedMessages)
        total(.receivedBytes, [loop], is: statistics.receivedBytes)
        total(.processorTime, [loop], is: Double(loopSessions.processorTime.nanoseconds) / 1e9)
    }

    /// Sums what several loops counted by words of ours; all of `all` is there from the beginning.
    mutating func report<Word: Hashable>(
        _ metric: Metric, _ counts: [[Word: Int]], all: [Word] = [], label: (Word) -> String
    ) {
        var sums = Dictionary(uniqueKeysWithValues: all.map { ($0, 0) })
        for count in counts { sums.merge(count, uniquingKeysWith: +) }
        for (word, sum) in sums { total(metric, [label(word)], is: sum) }
    }

    private mutating func report(_ list: ListStatistics) {
        let name = list.name
        if let contents = list.contents { level(.rows, [name], is: contents.count) }
        total(.revisions, [name], is: list.counts.revisions)
        total(.patches, [name, "live"], is: list.patches.live)
        total(.patches, [name, "fold"], is: list.patches.folds)
        total(.patches, [name, "snapshot"], is: list.patches.snapshots)
        for outcome in RefreshOutcome.names { total(.runs, [name, outcome], is: list.counts.runs[outcome] ?? 0) }
        level(.running, [name], is: list.isRunning ? 1 : 0)
        level(.overdueHandlers, [name], is: list.overdueHandlers)
        level(.rememberedAnswers, [name], is: list.rememberedAnswers)
        if let updatedAt = list.contents?.updatedAt { level(.updatedAt, [name], is: Double(updatedAt) / 1000) }
        level(.isStale, [name], is: list.contents?.staleSince != nil ? 1 : 0)
    }
}

/// What a loop records at once: not what each message costs, but what each broadcast does, and each second.
struct LoopInstruments: Sendable {
    let broadcasts: [Timer]
    let lag: [Timer]

    /// Everybody on the loop was offered what is new of a list.
    func broadcastEnded(after duration: Duration) {
        for timer in broadcasts { timer.recordNanoseconds(duration.nanoseconds) }
    }

    /// The loop was that late.
    func lagged(by lag: Duration) {
        for timer in self.lag { timer.recordNanoseconds(lag.nanoseconds) }
    }
}

extension Duration {
    var nanoseconds: Int64 { Int64(components.seconds) * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
