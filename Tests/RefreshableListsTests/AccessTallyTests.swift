import Testing
import WebSockets

@testable import RefreshableLists

/// Whoever is turned away for want of a token or a right is counted, and worth a line while there are few.
struct AccessTallyTests {
    @Test func eachReasonIsCountedByItself() {
        let authenticator = Authenticator(
            .tokens([
                AccessToken("kitchen", secret: "kitchen", rights: ["*": [.read]]),
                AccessToken("old", secret: "old", rights: ["*": [.read]], expiresAt: 1),
            ]), clock: SystemClock())
        let address = "192.0.2.7"

        for shown in ["old", "old", "none", "kitchen", nil] {
            _ = authenticator.admit(shown.map { ShownToken($0) }, from: address)
        }
        #expect(authenticator.refusals == [.expired: 2, .token: 1])
        for number in 0..<11 { _ = authenticator.admit(ShownToken("guess \(number)"), from: address) }
        #expect(authenticator.refusals == [.expired: 2, .token: 10, .guesses: 2])
    }

    @Test func whoHasShownATokenLacksTheRightAndAnybodyElseTheToken() {
        let authenticator = Authenticator(
            .tokens([AccessToken("kitchen", secret: "kitchen", rights: [:])]), clock: SystemClock())
        for shown in ["kitchen", nil, nil] {
            guard case .visitor(let visitor) = authenticator.admit(shown.map { ShownToken($0) }, from: "::1") else {
                return #expect(Bool(false))
            }
            authenticator.count(visitor)
        }
        #expect(authenticator.refusals == [.right: 1, .anonymous: 2])
    }

    @Test func whoGuessesDoesNotFillTheLog() {
        var tally = AccessTally()
        let lines = (0..<100).compactMap { _ in tally.note(.token, at: 0) }
        #expect(lines == Array(repeating: 0, count: 10))
        #expect(tally.note(.token, at: 10_000) == 90)
        #expect(tally.counts == [.token: 101])
    }
}
