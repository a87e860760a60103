import Testing

@testable import WebSockets

@Suite struct ConnectionTimeoutsTests {
    private static let limits = ConnectionTimeouts.Limits(
        head: .seconds(10), exchange: .seconds(60), kept: .seconds(50), beat: .seconds(25), pong: .seconds(8),
        stall: .seconds(30), look: .seconds(1))

    private static func after(_ watch: ConnectionTimeouts.Watch, _ facts: ConnectionTimeouts.Facts = .init()) -> (
        ConnectionTimeouts.Action, Duration?
    ) {
        var timeouts = ConnectionTimeouts()
        _ = timeouts.begin(watch, limits)
        return timeouts.isOver(facts, limits)
    }

    @Test(
        arguments: [
            (ConnectionTimeouts.Watch.rest, nil), (.head, 10), (.exchange, 60), (.kept, 50), (.beat, 25), (.pong, 8),
            (.stall(taken: 0), 30), (.taking(taken: 0), 60), (.answer, 1), (.end, 3),
        ] as [(ConnectionTimeouts.Watch, Int?)])
    func eachIsWaitedForItsTime(_ watch: ConnectionTimeouts.Watch, _ seconds: Int?) {
        var timeouts = ConnectionTimeouts()
        #expect(timeouts.begin(watch, Self.limits) == seconds.map { .seconds($0) })
        #expect(timeouts.watch == watch)
    }

    @Test(arguments: [ConnectionTimeouts.Watch.head, .exchange, .kept, .end]) func whoTakesTooLongWithARequestIsCut(
        _ watch: ConnectionTimeouts.Watch
    ) {
        let (action, delay) = Self.after(watch)
        #expect(action == .cut && delay == nil)
    }

    @Test func whoIsGoneWhileAnAnswerIsComingIsCutAndWhoIsThereWaitsOn() {
        let (gone, never) = Self.after(.answer, .init(hasLeft: true))
        #expect(gone == .cut && never == nil)
        let (there, delay) = Self.after(.answer)
        #expect(there == .nothing && delay == .seconds(1))
    }

    @Test func whoTakesAnAnswerSlowlyButSteadilyGetsAllOfIt() {
        let (action, delay) = Self.after(.taking(taken: 100), .init(taken: 101))
        #expect(action == .nothing && delay == .seconds(60))
        let (none, never) = Self.after(.taking(taken: 100), .init(taken: 100))
        #expect(none == .cut && never == nil)
    }

    @Test func aPingIsSentEachBeatAndThePongIsWaitedFor() {
        let (action, delay) = Self.after(.beat)
        #expect(action == .ping && delay == .seconds(8))
    }

    @Test func whoIsHeardIsPingedABeatAfterTheLastPing() {
        let (action, delay) = Self.after(.pong, .init(wasHeard: true))
        #expect(action == .nothing && delay == .seconds(17))
    }

    @Test func whoIsNotHeardIsClosedWith4102() {
        let (action, delay) = Self.after(.pong)
        #expect(action == .close(4102, "no pong") && delay == nil)
    }

    @Test(arguments: [ConnectionTimeouts.Watch.beat, .pong]) func whoIsPausedIsNotHeldToIt(
        _ watch: ConnectionTimeouts.Watch
    ) {
        let (action, delay) = Self.after(watch, .init(isPaused: true))
        #expect(action == .nothing && delay != nil)
    }

    @Test func whoTakesAByteNowAndThenStays() {
        let (action, delay) = Self.after(.stall(taken: 100), .init(taken: 101))
        #expect(action == .nothing && delay == .seconds(30))
    }

    @Test(arguments: [(100, 100), (nil, 100), (100, nil), (nil, nil)] as [(Int64?, Int64?)])
    func whoTakesNothingIsDroppedWith4101(_ before: Int64?, _ now: Int64?) {
        let (action, delay) = Self.after(.stall(taken: before), .init(taken: now))
        #expect(action == .drop(4101, "too slow") && delay == nil)
    }
}
