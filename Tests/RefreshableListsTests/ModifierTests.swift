import KeyedLists
import ListProtocol
import Pulling
import Testing

@testable import RefreshableLists

/// What each modifier makes of a list, and which descriptions cannot be served.
struct ModifierTests {
    @Test func listThatSaysNothingHasTheDocumentedDefaults() {
        let list = RefreshableList("names")

        #expect(list.title == "Names")
        #expect(list.mode == .replace)
        #expect(list.rules.deadline == .seconds(30))
        #expect(list.rules.every == nil)
        #expect(list.rules.minimumInterval == nil)
        #expect(list.maximumAge == nil)
        #expect(list.rules.refusal() == nil)
        #expect(
            list.pullDescription
                == PullDescription(
                    trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8, haptics: false,
                    indicator: "default", texts: [:]))
    }

    @Test func modifiersOfRefreshingAreTaken() {
        let list = RefreshableList("names").mode(.stream).deadline(nil).every(.seconds(300))
            .maximumAge(.seconds(60)).minimumInterval(.seconds(5)).shouldRefresh { "Closed." }

        #expect(list.mode == .stream)
        #expect(list.rules.deadline == nil)
        #expect(list.rules.every == .seconds(300))
        #expect(list.maximumAge == .seconds(60))
        #expect(list.rules.minimumInterval == .seconds(5))
        #expect(list.rules.refusal() == "Closed.")
        #expect(list.fault == nil)
    }

    @Test func modifiersOfThePullAreToldToThoseWhoWatch() {
        let list = RefreshableList("names").pull(.classic, threshold: 80, hold: 60).haptics()
            .indicator("circular").texts(["primed": "Let go"])

        #expect(
            list.pullDescription
                == PullDescription(
                    trigger: "release", threshold: 80, minimum: 10, hold: 60, hysteresis: 8, haptics: true,
                    indicator: "circular", texts: ["primed": "Let go"]))
    }

    @Test func everyPresetIsAPull() {
        for preset in PullConfiguration.Preset.allCases {
            #expect(RefreshableList("names").pull(preset.configuration).pull == preset.configuration)
        }
    }

    @Test func triggerMayBeChangedAlone() {
        #expect(RefreshableList("names").pull(trigger: .crossing).pull.trigger == .crossing)
        #expect(RefreshableList("names").pull(trigger: .crossing).pull.threshold == 64)
    }

    @Test(arguments: [
        (RefreshableList("a").pull(threshold: 5), "pull: threshold must be greater than minimum (10), got 5."),
        (RefreshableList("a").pull(hold: .nan), "pull: hold must be a finite number, got nan."),
        (
            RefreshableList("a").deadline(.zero),
            "deadline must be at least a millisecond, got 0.0 seconds. Leave it out, or give it a longer time."
        ),
        (
            RefreshableList("a").every(.seconds(-1)),
            "every must be at least a millisecond, got -1.0 seconds. Leave it out, or give it a longer time."
        ),
        (
            RefreshableList("a").texts(["pulled": "Pull"]),
            "texts has \"pulled\", which is no phase. Use waiting, primed, loading, closing."
        ),
        (
            RefreshableList("a").windowed(by: NoRows()).acceptsPushes(),
            "A list whose source is asked for windows has no pushes. Leave one of them out."
        ),
    ])
    func faultOfADescriptionIsToldByRunInWords(list: RefreshableList, fault: String) async {
        #expect(list.fault == fault)
        #expect(throws: RefreshableServerError.invalidList("a", reason: fault)) {
            try RefreshableServerError.check([list])
        }
    }

    @Test func laterPullMendsAnEarlierOne() {
        #expect(RefreshableList("a").pull(threshold: 5).pull(threshold: 50).fault == nil)
    }

    @Test func maximumAgeRefreshesRowsThatAreTooOldForWhoComes() async {
        let gate = UncancellableGate()
        gate.open()
        let stage = Stage(
            RefreshableList("fruit").maximumAge(.seconds(60)).refreshable {
                await gate.pass()
                return ["Apple"]
            })
        await stage.watch()
        await stage.runEnds()

        await stage.advance(by: .seconds(60))
        await stage.watch()
        await stage.runEnds()
        let whileYoung = gate.begun
        await stage.advance(by: .seconds(1))
        await stage.watch()
        await stage.runEnds()

        #expect(whileYoung == 1)
        #expect(gate.begun == 2)
    }

    @Test func everyRefreshesAgainAndAgainWhileSomebodyWatches() async {
        let gate = UncancellableGate()
        gate.open()
        let stage = Stage(
            RefreshableList("fruit").every(.seconds(60)).refreshable {
                await gate.pass()
                return ["Apple"]
            })
        await stage.watch()
        await stage.runEnds()
        for _ in 1...2 {
            await stage.advance(by: .seconds(60))
            await stage.runEnds()
            await stage.advance(by: .seconds(1))
        }

        #expect(gate.begun == 3)
        #expect(await stage.list.last?.cause == nil)
    }
}

/// A source without rows.
private struct NoRows: WindowSource {
    func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? { WindowRows([], first: 0, total: 0) }
}
