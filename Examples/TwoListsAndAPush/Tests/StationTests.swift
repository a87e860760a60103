import RefreshableLists
import RefreshableListsTesting
import Testing

@testable import TwoListsAndAPush

/// Two lists side by side, and what one says about the other.
struct StationTests {
    @Test func nextTrainsStandOnTheBoard() async {
        let list = TestedList(departures(from: Timetable()))

        await list.refresh()

        #expect(await list.titles == ["Uppsala", "Gävle", "Narvik", "Malmö", "Bergen"])
        #expect(await list.keys.first == "700")
    }

    @Test func trainThatHasLeftGoesAndTheOthersStayWhereTheyAre() async {
        let list = TestedList(departures(from: Timetable()))
        await list.refresh()

        let run = await list.refresh()

        #expect(run?.changes.removed == 1)
        #expect(run?.changes.inserted == 1)
        #expect(run?.changes.moved == 0)
    }

    @Test func pullWithinTenSecondsIsAnsweredFromTheBoard() async {
        let list = TestedList(departures(from: Timetable()))
        let traveller = await list.person()
        await list.advance(by: .seconds(9))

        #expect(await traveller.pullAndRelease() == .tooSoon)
    }

    @Test func failureIsNotedOnceUntilADepartureComes() async throws {
        let trains = UnreliableTrains()
        let board = TestedList(departures(from: trains))
        let notices = TestedList(notices())

        for isDown in [true, true, false] {
            await trains.set(isDown: isDown)
            try await note(#require(await board.refresh()), on: notices.live)
            #expect(await notices.keys == (isDown ? ["timetable", "welcome"] : ["welcome"]))
        }
    }
}

/// Trains that can't be asked for while they are down.
private actor UnreliableTrains: Trains {
    struct Down: Error {}

    private var isDown = false

    func set(isDown: Bool) { self.isDown = isDown }

    func next(_ count: Int) async throws -> [Train] {
        if isDown { throw Down() }
        return [Train(number: 1, destination: "Kiruna", track: "2")]
    }
}
