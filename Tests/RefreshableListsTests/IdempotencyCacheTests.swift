import Testing

@testable import RefreshableLists

/// What is sent again within ten minutes is answered as before, however many others asked meanwhile.
@Suite struct IdempotencyCacheTests {
    private func moment(_ seconds: Int64) -> Moment { Moment(uptime: seconds * 1000, date: 0) }

    @Test func aKeyIsForgottenAfterTenMinutes() {
        var answers = IdempotencyCache<String, Int>(of: MemoryShare(1 << 20))
        answers.remember(1, for: "k", moment(0))

        #expect(answers["k", moment(599)] == 1)
        #expect(answers["k", moment(600)] == nil)
    }

    @Test func aHundredASecondAreRememberedForTenMinutes() {
        var answers = IdempotencyCache<Int, Int>(of: MemoryShare(1 << 20))
        for number in 0..<60_000 { answers.remember(number, for: number, moment(Int64(number / 100))) }

        #expect((0..<60_000).allSatisfy { answers[$0, moment(599)] == $0 })
    }

    @Test func ofMoreThanFitTheOldestAreForgotten() {
        var answers = IdempotencyCache<Int, Int>(of: MemoryShare(1 << 20), capacity: 100)
        for number in 0..<1000 { answers.remember(number, for: number, moment(0)) }

        #expect((0..<1000).map { answers[$0, moment(0)] != nil } == (0..<1000).map { $0 >= 900 })
    }

    @Test func whatIsTooOldIsDroppedThoughNobodyAsksAndItsMemoryIsFree() {
        var answers = IdempotencyCache<Int, Int>(of: MemoryShare(1 << 20))
        for number in 0..<1000 { answers.remember(number, for: number, moment(Int64(number))) }
        #expect(answers.nextExpiry == moment(600).uptime + 1_000 * 400, "those before were dropped on the way")

        answers.dropExpired(moment(1_598))
        #expect(answers.count == 1 && answers.nextExpiry == moment(1_599).uptime)
        answers.dropExpired(moment(1_599))
        #expect(answers.count == 0 && answers.nextExpiry == nil)
    }

    @Test func aKnownKeyPushesNobodyOut() {
        var answers = IdempotencyCache<Int, Int>(of: MemoryShare(1 << 20), capacity: 2)
        for number in [1, 2, 2, 2] { answers.remember(number, for: number, moment(0)) }
        #expect(answers[1, moment(0)] == 1)
    }

    @Test func aKeyThatCameBackLaterIsRememberedFromThen() {
        var answers = IdempotencyCache<String, Int>(of: MemoryShare(1 << 20))
        answers.remember(1, for: "k", moment(0))
        answers.remember(2, for: "k", moment(700))
        answers.remember(3, for: "other", moment(701))

        #expect(answers["k", moment(1299)] == 2)
    }
}
