import CoreMetrics
import RefreshableLists
import Testing

/// The text that Prometheus reads.
struct PrometheusMetricsTests {
    private let metrics = PrometheusMetrics()

    private func counter(_ label: String, _ dimensions: (String, String)...) -> Counter {
        Counter(label: label, dimensions: dimensions, factory: metrics)
    }

    @Test func aCounterOfTheSameLabelsIsTheSame() {
        counter("visits_total", ("page", "home")).increment()
        counter("visits_total", ("page", "home")).increment(by: 2)
        counter("visits_total", ("page", "about")).increment()

        #expect(
            metrics.text == """
                # HELP visits_total visits_total
                # TYPE visits_total counter
                visits_total{page="about"} 1
                visits_total{page="home"} 3

                """)
    }

    @Test func aHistogramCountsWhatIsAtMostItsBounds() {
        let timer = Timer(label: "wait_seconds", factory: metrics)
        for milliseconds in [5, 6, 20_000] { timer.recordMilliseconds(milliseconds) }

        let lines = metrics.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("wait_seconds_bucket{le=\"0.005\"} 1"))
        #expect(lines.contains("wait_seconds_bucket{le=\"0.01\"} 2"))
        #expect(lines.contains("wait_seconds_bucket{le=\"10\"} 2"))
        #expect(lines.contains("wait_seconds_bucket{le=\"+Inf\"} 3"))
        #expect(lines.suffix(2) == ["wait_seconds_sum 20.011", "wait_seconds_count 3"])
    }

    @Test func aGaugeIsWhatItWasSetToLast() {
        let meter = Meter(label: "depth", factory: metrics)
        meter.set(4)
        meter.set(-1.5)
        #expect(metrics.text.hasSuffix("# TYPE depth gauge\ndepth -1.5\n"))
    }

    @Test func whatTheFormatDoesNotAllowIsEscaped() {
        counter("9 lives/day", ("the list", "a\"b\\c\nd")).increment()
        #expect(metrics.text.hasSuffix("__lives_day{the_list=\"a\\\"b\\\\c\\nd\"} 1\n"))
    }

    @Test func aNameHasOneKind() {
        counter("load").increment()
        Meter(label: "load", factory: metrics).set(7)
        #expect(metrics.text == "# HELP load load\n# TYPE load counter\nload 1\n")
    }

    @Test func whatIsDestroyedIsForgotten() {
        let one = counter("visits_total", ("page", "home"))
        one.increment()
        one.destroy()
        #expect(metrics.text.isEmpty)
    }
}
