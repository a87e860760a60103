import CoreMetrics

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

    init(_ factories: [any MetricsFactory]) { self.factories = factories }

    /// A total is so large now. One that fell has begun anew.
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
