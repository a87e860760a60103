import ListProtocol
import ListStorage
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

    @Test func aListSaysWhoLeadsItOnlyWhereServersShareIt() {
        var led = ListStatistics(name: "led")
        led.isLeader = true
        led.counts.leadChanges = [.taken: 2, .lost: 1]
        var instruments = instruments()
        instruments.report([led], watchedOn: [])
        #expect(!page.text.contains("refreshable_lead"))
        instruments.report(StoreStatistics(), isAvailable: true, lists: [led])
        instruments.report(StoreStatistics(), isAvailable: true, lists: [led])

        #expect(page.text.contains("refreshable_leads{list=\"led\"} 1\n"))
        #expect(page.text.contains("refreshable_lead_changes_total{change=\"taken\",list=\"led\"} 2\n"))
        #expect(page.text.contains("refreshable_lead_changes_total{change=\"resigned\",list=\"led\"} 0\n"))
    }

    @Test func aSharedStoreSaysAllThatItCountsFromTheBeginning() {
        var instruments = instruments()
        var statistics = StoreStatistics()
        (statistics.connections, statistics.conflicts, statistics.errors) = (3, 4, [.commit: 5])
        instruments.report(statistics, isAvailable: false, lists: [])

        #expect(page.text.contains("refreshable_store_available 0\n"))
        #expect(page.text.contains("refreshable_store_connections 3\n"))
        #expect(page.text.contains("refreshable_store_conflicts_total 4\n"))
        #expect(page.text.contains("refreshable_renewed_epochs_total 0\n"))
        #expect(page.text.contains("refreshable_store_errors_total{operation=\"commit\"} 5\n"))
        #expect(page.text.contains("refreshable_store_errors_total{operation=\"lead\"} 0\n"))
    }

    @Test func whatIsHeardAndReadIsLagOfItsSignal() throws {
        var instruments = instruments()
        let store = StoreInstruments(&instruments)
        store.caughtUp(after: .milliseconds(3), by: .notice, revisions: 7)
        store.ended(.read, after: .milliseconds(2))

        #expect(page.text.contains("refreshable_store_lag_seconds_bucket{signal=\"notice\",le=\"0.0025\"} 0\n"))
        #expect(page.text.contains("refreshable_store_lag_seconds_bucket{signal=\"notice\",le=\"0.005\"} 1\n"))
        #expect(page.text.contains("refreshable_store_lag_seconds_count{signal=\"look\"} 0\n"))
        #expect(page.text.contains("refreshable_store_lag_revisions_bucket{le=\"5\"} 0\n"))
        #expect(page.text.contains("refreshable_store_lag_revisions_bucket{le=\"10\"} 1\n"))
        let read = try backend.expectTimer("refreshable_store_duration_seconds", [("operation", "read")])
        #expect(read.values == [2_000_000])
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
