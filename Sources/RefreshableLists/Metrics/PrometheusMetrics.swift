public import CoreMetrics
import Locking
import WebSockets

/// A backend of swift-metrics that keeps metrics in memory and prints them in the text format of Prometheus.
///
/// A server has one of its own behind `/metrics`. A program that has no backend may take it for its own figures as well:
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)
/// let server = RefreshableServer { … }      // its /metrics now shows both
/// ```
/// Counters are counters; meters and gauges are gauges; timers, in seconds, and recorders that aggregate are histograms.
/// What the format does not allow in a label is an underscore. From any thread.
public final class PrometheusMetrics: MetricsFactory {
    private let families = Locked<[String: MetricFamily]>([:])

    /// Holds nothing yet.
    public init() {}

    /// All that there is, in the text format 0.0.4, by name.
    public var text: String {
        var text = ""
        let families = families.withLock { $0 }
        for name in families.keys.sorted() { families[name]?.write(to: &text) }
        return text
    }

    /// The media type of `text`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    // MARK: MetricsFactory

    /// A counter, found again where there was one of this label and these dimensions.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// As `makeCounter`.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { GaugeSeries() }
    }

    /// A histogram where it aggregates, else a gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, .gauge, dimensions) { GaugeSeries() } }
        return series(label, .histogram, dimensions) { HistogramSeries(bounds: Self.bounds(of: label)) }
    }

    /// A histogram in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, dimensions) { HistogramSeries(bounds: Self.bounds(of: label)) }
    }

    /// Forgets it.
    public func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    /// Forgets it.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }

    /// Forgets it.
    public func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    /// Forgets it.
    public func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    /// Forgets it.
    public func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    // MARK: Series

    /// The existing one, or a new one. If the name is of another kind, one that is not printed.
    private func series<Series: MetricSeries>(
        _ label: String, _ kind: MetricFamily.Kind, _ dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        return families.withLock { families in
            var family =
                families[name]
                ?? MetricFamily(name: name, kind: kind, help: Metric(rawValue: label)?.help ?? label)
            if let found = family.series[labels] { return found as? Series ?? make() }
            let series = make()
            guard family.kind == kind else { return series }
            family.series[labels] = series
            families[name] = family
            return series
        }
    }

    private func forget(_ handler: AnyObject) {
        families.withLock { families in
            families = families.compactMapValues { family in
                var family = family
                family.series = family.series.filter { $0.value !== handler }
                return family.series.isEmpty ? nil : family
            }
        }
    }

    private static func bounds(of label: String) -> [Double] {
        Metric(rawValue: label)?.bounds ?? [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    }
}

/// The words of Prometheus' text format 0.0.4 (`exposition_formats`, "Text format details").
enum PrometheusText {
    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`: anything else becomes an underscore.
    static func name(_ label: String) -> String { allowed(label, colons: true) }

    /// `a="1",b="2"` in order of names; empty if there are none. Of a repeated name the last value counts.
    static func labels(_ dimensions: [(String, String)]) -> String {
        let values = Dictionary(dimensions.map { (allowed($0.0, colons: false), $0.1) }) { $1 }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(value($0.value))\"" }.joined(separator: ",")
    }

    /// A line of help, in which a backslash and a line break are escaped.
    static func help(_ text: String) -> String { escaped(text) { $0 == "\\" || $0 == "\n" } }

    /// Whole numbers without a point.
    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return value == value.rounded() && abs(value) < 0x1p53 ? "\(Int64(value))" : "\(value)"
    }

    /// A label's value, in which quotes are escaped, too.
    private static func value(_ text: String) -> String { escaped(text) { $0 == "\\" || $0 == "\n" || $0 == "\"" } }

    private static func escaped(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isSpecial(scalar) { escaped.append("\\") }
            escaped.append(scalar == "\n" ? "n" : scalar)
        }
        return String(escaped)
    }

    private static func allowed(_ label: String, colons: Bool) -> String {
        let letters = label.utf8.enumerated().map { index, byte -> UInt8 in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x5F: byte
            case 0x30...0x39 where index > 0: byte
            case 0x3A where colons: byte
            default: 0x5F
            }
        }
        return letters.isEmpty ? "_" : String(decoding: letters, as: UTF8.self)
    }
}
