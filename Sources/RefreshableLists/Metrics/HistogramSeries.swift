import CoreMetrics
import WebSockets

/// How often values were at most so large, for each of some bounds; their number and their sum.
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
