import Foundation
import KeyedLists
import Testing
import WebSockets

@testable import RefreshableLists

/// Whoever is turned away for want of a token or a right is counted, and worth a line while there are few.
struct RefusalCounterTests {
    @Test func eachReasonIsCountedByItself() {
        let authenticator = Authenticator(
            .tokens([
                AccessToken("kitchen", secret: "kitchen", rights: ["*": [.read]]),
                AccessToken("old", secret: "old", rights: ["*": [.read]], expiresAt: Date(milliseconds: 1)),
            ]), clock: SystemClock())
        let address = "192.0.2.7"

        for shown in ["old", "old", "none", "kitchen", nil] {
            _ = authenticator.admit(shown.map { PresentedToken($0) }, from: address)
        }
        #expect(authenticator.refusals == [.expired: 2, .token: 1])
        for number in 0..<11 { _ = authenticator.admit(PresentedToken("guess \(number)"), from: address) }
        #expect(authenticator.refusals == [.expired: 2, .token: 10, .guesses: 2])
    }

    @Test func whoHasShownATokenLacksTheRightAndAnybodyElseTheToken() {
        let authenticator = Authenticator(
            .tokens([AccessToken("kitchen", secret: "kitchen", rights: [:])]), clock: SystemClock())
        for shown in ["kitchen", nil, nil] {
            guard case .visitor(let visitor) = authenticator.admit(shown.map { PresentedToken($0) }, from: "::1") else {
                return #expect(Bool(false))
            }
            authenticator.count(visitor)
        }
        #expect(authenticator.refusals == [.right: 1, .anonymous: 2])
    }

    @Test func whoGuessesDoesNotFillTheLog() {
        var counts = RefusalCounter()
        let lines = (0..<100).compactMap { _ in counts.note(.token, at: 0) }
        #expect(lines == Array(repeating: 0, count: 10))
        #expect(counts.note(.token, at: 10_000) == 90)
        #expect(counts.counts == [.token: 101])
    }
}
