import ListProtocol
import Testing

@testable import RefreshableLists

/// How many messages a connection may send, and what becomes of one that sends more.
struct RateLimiterTests {
    private let guardian = RateLimiter(Limits(), now: Moment(uptime: 0, date: 0))
    private let pull = ClientMessage.pull(id: nil, list: "fruit", gesture: 1, offset: 30)
    private let ping = ClientMessage.ping(id: nil)

    @Test func pullsAndAllElseAreCountedApart() {
        #expect(answers(60, pull, at: 0) == Array(repeating: "fine", count: 60))
        #expect(answers(40, ping, at: 0) == Array(repeating: "fine", count: 40))
        #expect(answers(1, pull, at: 0) == ["said"] && answers(1, ping, at: 0) == ["unsaid"])
    }

    @Test func whatCanNotBeReadCountsAsAMessage() {
        #expect(answers(41, nil, at: 0).last == "said")
    }

    @Test func aTokenBucketFillsSteadilyAndNoFurtherThanItsBurst() {
        _ = answers(40, ping, at: 0)
        #expect(answers(3, ping, at: 100) == ["fine", "fine", "said"])
        #expect(answers(41, ping, at: 60_000).count { $0 == "fine" } == 40)
    }

    @Test func whoSendsTooMuchIsToldOnceASecond() {
        _ = answers(40, nil, at: 0)
        #expect(answers(2, nil, at: 0) == ["said", "unsaid"])
        #expect(answers(22, nil, at: 999).suffix(2) == ["unsaid", "unsaid"])
        #expect(answers(2, nil, at: 1000).contains("said"))
    }

    @Test func tenSecondsOfItEndTheConnectionUnlessTwoAreQuiet() {
        for second in 0..<11 { #expect(!answers(100, nil, at: Int64(second) * 1000).contains("closed")) }
        #expect(answers(100, nil, at: 13_000).last != "closed")
        for second in 14..<24 { #expect(!answers(100, nil, at: Int64(second) * 1000).contains("closed")) }
        #expect(answers(100, nil, at: 24_000).last == "closed")
    }

    /// What so many messages at one moment come to.
    private func answers(_ count: Int, _ message: ClientMessage?, at uptime: Int64) -> [String] {
        (0..<count).map { _ in
            switch guardian.check(message, now: Moment(uptime: uptime, date: 0)) {
            case .fine: "fine"
            case .excess(let isSaid): isSaid ? "said" : "unsaid"
            case .close: "closed"
            }
        }
    }
}
