import ListProtocol
import MetricsTestKit
import Testing

@testable import RefreshableLists

/// Totals become growth, levels are set, and lists that are gone leave nothing.
struct InstrumentsTests {
    private let backend = TestMetrics()
    private let page = PrometheusMetrics()

    private func instruments() -> Instruments { Instruments([page, backend]) }

    @Test func aBackendHearsHowMuchATotalGrew() throws {
        var instruments = instruments()
        instruments.total(.revisions, ["fruit"], is: 5)
        instruments.total(.revisions, ["fruit"], is: 5)
        instruments.total(.revisions, ["fruit"], is: 7)

        #expect(try backend.expectCounter("refreshable_revisions_total", [("list", "fruit")]).values == [5, 2])
        #expect(page.text.hasSuffix("refreshable_revisions_total{list=\"fruit\"} 7\n"))
    }

    @Test func aTotalThatFellHasBegunAnew() throws {
        var instruments = instruments()
        instruments.total(.revisions, ["fruit"], is: 5)
        instruments.total(.revisions, ["fruit"], is: 1)
        #expect(page.text.hasSuffix("refreshable_revisions_total{list=\"fruit\"} 6\n"))
    }

    @Test func aTotalOfNothingIsPrintedSoThatItsFirstGrowthIsSeen() {
        var instruments = instruments()
        instruments.total(.runs, ["fruit", "failure"], is: 0)
        #expect(page.text.hasSuffix("refreshable_runs_total{list=\"fruit\",outcome=\"failure\"} 0\n"))
    }

    @Test func whatIsAboutAListThatIsGoneIsForgotten() {
        var instruments = instruments()
        instruments.report(
            [ListStatistics(name: "fruit"), ListStatistics(name: "trees")], watchedOn: [LoopSessionStatistics()])
        _ = instruments.timers(.runDurations, ["trees", "success"])
        instruments.report([ListStatistics(name: "fruit")], watchedOn: [LoopSessionStatistics()])

        #expect(!page.text.contains("trees"))
        #expect(page.text.contains("refreshable_watches{list=\"fruit\"} 0\n"))
        #expect(page.text.contains("refreshable_lists 1\n"))
    }

    @Test func loopsAreSummedWhereNoLabelTellsThemApart() {
        var one = LoopSessionStatistics()
        one.counts.errors = [.rateLimited: 2]
        one.watches = ["fruit": 3]
        var instruments = instruments()
        instruments.report([one, one])
        instruments.report([ListStatistics(name: "fruit")], watchedOn: [one, one])

        #expect(page.text.contains("refreshable_message_errors_total{code=\"rateLimited\"} 4\n"))
        #expect(page.text.contains("refreshable_message_errors_total{code=\"forbidden\"} 0\n"))
        #expect(page.text.contains("refreshable_watches{list=\"fruit\"} 6\n"))
    }
}
