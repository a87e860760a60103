import Testing

@testable import RefreshableListsClient

struct ReconnectionTests {
    private var reconnection = Reconnection()

    @Test mutating func aLostConnectionIsFirstTriedWithinTwoSeconds() {
        #expect(reconnection.wait(code: 1006, lifetime: .seconds(60), chance: 0.5) == .seconds(1))
    }

    @Test mutating func waitsGrowToHalfAMinute() {
        let waits = (0..<8).map { _ in reconnection.wait(code: 1006, lifetime: nil, chance: 1) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test mutating func aServerThatDropsAtOnceIsNotMetByFirstTries() {
        _ = reconnection.wait(code: 1006, lifetime: .seconds(1), chance: 1)
        #expect(reconnection.wait(code: 1006, lifetime: .seconds(1), chance: 1) == .seconds(2))
        #expect(reconnection.wait(code: 1006, lifetime: .seconds(1), chance: 1) == .seconds(4))
    }

    @Test(arguments: [4000, 4001, 4003, 4004] as [UInt16])
    mutating func whoIsSentAwayStaysAway(code: UInt16) {
        #expect(reconnection.wait(code: code, lifetime: .seconds(60), chance: 0) == nil)
    }

    @Test mutating func aGoodbyeSaysWhenToComeBackOrThatOneShouldNot() {
        let back = Reconnection.ShutdownNotice(reconnects: true, after: 1000...3000)
        #expect(reconnection.wait(code: 4200, lifetime: .seconds(60), goodbye: back, chance: 0.5) == .seconds(2))
        let away = Reconnection.ShutdownNotice(reconnects: false, after: nil)
        #expect(reconnection.wait(code: 1000, lifetime: .seconds(60), goodbye: away, chance: 0.5) == nil)
    }

    @Test mutating func overloadHasNoFirstTry() {
        #expect(reconnection.wait(code: 4100, lifetime: .seconds(60), chance: 0.5) == .milliseconds(500))
    }

    @Test mutating func whenTheNetworkIsBackWaitsStartSmallAgain() {
        for _ in 0..<4 { _ = reconnection.wait(code: 1006, lifetime: nil, chance: 1) }
        reconnection.encourage()
        #expect(reconnection.wait(code: 1006, lifetime: nil, chance: 1) == .seconds(1))
    }

    @Test mutating func whoIsAlwaysGivenBadTokensBacksOff() {
        let waits = (0..<4).map { _ in reconnection.waitWithNewToken(chance: 1) }
        #expect(waits == [.zero, .seconds(2), .seconds(4), .seconds(8)])
    }
}
