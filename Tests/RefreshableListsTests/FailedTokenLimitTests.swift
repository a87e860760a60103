import Testing
import WebSockets

@testable import RefreshableLists

/// How many wrong tokens an address may show.
struct FailedTokenLimitTests {
    private var limit = FailedTokenLimit()
    private let mine = "192.0.2.7"

    @Test mutating func afterTenGuessesNothingIsLookedAtForAWhile() {
        guess(0..<10)
        #expect(wait(for: "another", isRight: false) == 5000)
        #expect(wait(for: "the right one", isRight: true) == 5000)
        #expect(wait(for: "the right one", isRight: true, from: "192.0.2.8") == nil)
    }

    @Test mutating func aGuessIsForgivenEveryFiveSeconds() {
        guess(0..<10)
        #expect(wait(for: "another", isRight: false, now: 4999) != nil)
        #expect(wait(for: "another", isRight: false, now: 5000) == nil)
        #expect(wait(for: "one more", isRight: false, now: 5001) != nil)
    }

    @Test mutating func aWrongTokenThatIsShownAgainIsNoOtherGuess() {
        for _ in 0..<1000 { #expect(wait(for: "an old one", isRight: false) == nil) }
        #expect(wait(for: "the right one", isRight: true) == nil)
    }

    @Test mutating func whoWasRightBeforeIsLetInBesideSomebodyWhoGuesses() {
        #expect(wait(for: "the right one", isRight: true) == nil)
        guess(0..<10)
        #expect(wait(for: "the right one", isRight: true) == nil)
        #expect(wait(for: "another right one", isRight: true) != nil)
        // Taken away since: a guess like any other.
        #expect(wait(for: "the right one", isRight: false) != nil)
    }

    @Test mutating func theAddressesOfOneNetworkGuessTogether() {
        for number in 0..<10 { _ = wait(for: "\(number)", isRight: false, from: "2001:db8:0:1::\(number)") }
        #expect(wait(for: "another", isRight: false, from: "2001:db8:0:1:ffff::1") != nil)
        #expect(wait(for: "another", isRight: false, from: "2001:db8:0:2::1") == nil)
    }

    @Test mutating func endlesslyManyAddressesAreForgottenTheOldestFirst() {
        guess(0..<10)
        for number in 0..<(10_000 + 10) {
            let address = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            _ = wait(for: "x", isRight: false, from: address, now: Int64(1 + number / 100))
        }
        #expect(wait(for: "another", isRight: false, now: 200) == nil)
    }

    private mutating func guess(_ numbers: Range<Int>) {
        for number in numbers { #expect(wait(for: "guess \(number)", isRight: false) == nil) }
    }

    private mutating func wait(
        for token: String, isRight: Bool, from address: String? = nil, now: Int64 = 0
    ) -> Int64? {
        limit.wait(for: SHA256Digest(of: token), isRight: isRight, from: address ?? mine, now: now)
    }
}
