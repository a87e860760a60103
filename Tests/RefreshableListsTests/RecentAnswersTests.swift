import Testing

@testable import RefreshableLists

/// What is sent again within ten minutes is answered as before, however many others asked meanwhile.
@Suite struct RecentAnswersTests {
    private func moment(_ seconds: Int64) -> Moment { Moment(uptime: seconds * 1000, date: 0) }

    @Test func aKeyIsForgottenAfterTenMinutes() {
        var answers = RecentAnswers<String, Int>()
        answers.remember(1, for: "k", moment(0))

        #expect(answers["k", moment(599)] == 1)
        #expect(answers["k", moment(600)] == nil)
    }

    @Test func aHundredASecondAreRememberedForTenMinutes() {
        var answers = RecentAnswers<Int, Int>()
        for number in 0..<60_000 { answers.remember(number, for: number, moment(Int64(number / 100))) }

        #expect((0..<60_000).allSatisfy { answers[$0, moment(599)] == $0 })
    }

    @Test func ofMoreThanFitTheOldestAreForgotten() {
        var answers = RecentAnswers<Int, Int>(capacity: 100)
        for number in 0..<1000 { answers.remember(number, for: number, moment(0)) }

        #expect((0..<1000).map { answers[$0, moment(0)] != nil } == (0..<1000).map { $0 >= 900 })
    }

    @Test func aKeyThatCameBackLaterIsRememberedFromThen() {
        var answers = RecentAnswers<String, Int>()
        answers.remember(1, for: "k", moment(0))
        answers.remember(2, for: "k", moment(700))
        answers.remember(3, for: "other", moment(701))

        #expect(answers["k", moment(1299)] == 2)
    }
}
