import CoreMetrics
import WebSockets

/// A number that only grows, until it is reset. Exact below 2^53, as all of Prometheus is.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let value = Locked(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// What is not a number, or would let it fall, is left out.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.withLock { $0 += amount }
    }

    func reset() { value.withLock { $0 = 0 } }

    var samples: [MetricSample] { [MetricSample(value: value.withLock { $0 })] }
}
