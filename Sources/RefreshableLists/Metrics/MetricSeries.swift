import CoreMetrics
import Locking
import WebSockets

/// All series of one name.
struct MetricFamily: Sendable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    let help: String
    /// By their labels as they are printed, without braces; empty where there are none.
    var series: [String: any MetricSeries] = [:]

    /// Its lines, in order of labels.
    func write(to text: inout String) {
        text += "# HELP \(name) \(PrometheusText.help(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for labels in series.keys.sorted() {
            for sample in series[labels]?.samples ?? [] {
                let all = [labels, sample.label].filter { !$0.isEmpty }.joined(separator: ",")
                text +=
                    "\(name)\(sample.suffix)\(all.isEmpty ? "" : "{\(all)}") \(PrometheusText.number(sample.value))\n"
            }
        }
    }
}

/// The figures of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Its lines, in order.
    var samples: [MetricSample] { get }
}

/// A line of the text: `NAME` `suffix` `{…,label}` `value`.
struct MetricSample: Equatable {
    var suffix = ""
    var label = ""
    var value: Double
}

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

/// A number that goes up and down.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Locked(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    var samples: [MetricSample] { [MetricSample(value: value.withLock { $0 })] }
}

/// A histogram: for each bound, how many values were at most that large; their number and their sum.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler {
    private struct State {
        /// For each bound, how many values are within it and above the one before; last, those above all.
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Locked<State>

    /// - Parameter bounds: rising; a value that is equal to one is within it.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Locked(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    /// In seconds from now on.
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    /// What is not a number is left out.
    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[place] += 1
            state.sum += value
        }
    }

    var samples: [MetricSample] {
        let state = state.withLock { $0 }
        var total = 0
        var samples: [MetricSample] = []
        for (bound, count) in zip(bounds + [.infinity], state.counts) {
            total += count
            let label = "le=\"\(PrometheusText.number(bound))\""
            samples.append(MetricSample(suffix: "_bucket", label: label, value: Double(total)))
        }
        samples.append(MetricSample(suffix: "_sum", value: state.sum))
        samples.append(MetricSample(suffix: "_count", value: Double(total)))
        return samples
    }
}
