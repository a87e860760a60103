import RefreshableLists
import RefreshableListsTesting
import Testing

@testable import FiveSystems

/// The five systems, each pulled as its people pull it. Seconds pass in no time.
struct FiveSystemsTests {
    let clock = ManualClock()

    @Test(arguments: [hours, calledBackHours])
    func hoursRunOnTheWayBackAndComeThreeSecondsLater(_ hours: @Sendable (any Clock<Duration>) -> RefreshableList) async
    {
        let list = TestedList(hours(clock), clock: clock)
        let ann = await list.person()
        await list.advance(by: .seconds(4))

        await ann.pull(to: 50)
        #expect(ann.phase == .primed)
        await ann.pull(to: 49)
        #expect(list.phase == .loading)
        await list.advance(by: .seconds(3))

        #expect(list.phase == .closing)
        #expect(await list.titles.count == 19)
        #expect(await list.titles.last == "now + 19 hours")
        #expect(list.outcomes.map(\.cause) == [.initial, .pull])
    }

    @Test func namesAreFiveThenSevenThenFiveAgain() async {
        let list = TestedList(names(clock), clock: clock)
        let ann = await list.person()
        await ann.pull(to: 100)

        await list.advance(by: .seconds(3))
        #expect(await list.keys.prefix(3) == ["Nephele", "Vesta", "Jarl"])
        await list.advance(by: .seconds(3))

        #expect(await list.keys == ["Jarl", "Ehecatl", "Jayanti", "Surendra", "Medeia"])
        #expect(list.outcomes.first?.changes.inserted == 2)
    }

    @Test func fruitLastsExactlyAsLongAsItsCall() async {
        let list = TestedList(fruit(clock), clock: clock)
        let ann = await list.person()
        await list.advance(by: .seconds(6))
        await ann.pullAndRelease()

        await list.advance(by: .milliseconds(4999))
        #expect(ann.phase == .loading)
        await list.advance(by: .milliseconds(1))

        #expect(ann.phase == .closing)
        #expect(await list.keys.sorted() == ["Apple", "Banana", "Orange"])
        #expect(list.outcomes.last?.changes.inserted == 0)
    }

    @Test func classicLogsEachRefreshAndRefusesTheThirteenth() async {
        let list = TestedList(classic(clock), clock: clock)
        let ann = await list.person()
        await list.advance(by: .seconds(3))
        for _ in 2...12 {
            await ann.pullAndRelease()
            await list.advance(by: .seconds(3))
        }

        #expect(await list.titles.first == "Refresh 12")
        #expect(await ann.pullAndRelease() == .refused("Twelve refreshes are enough for today."))
        #expect(ann.phase == .waiting)
    }

    @Test func lettersReportHowFarTheyAreAndCanBeStopped() async {
        let list = TestedList(letters(clock), clock: clock)
        let ann = await list.person()
        await list.advance(by: .seconds(4))
        await ann.pressRefresh()

        await list.advance(by: .seconds(2))
        #expect(ann.runProgress?.note == "2 of 3 letters")
        await ann.stop()
        await list.settle()

        #expect(list.outcomes.last?.outcome == .cancelled)
        #expect(await list.keys.count == 3)
    }

    @Test func draftsHaveNothingToPull() async {
        let list = TestedList(drafts())
        let ann = await list.person()

        #expect(await ann.pullAndRelease() == .notRefreshable)
        #expect(await list.titles == ["Re: Can it think?"])
    }
}
