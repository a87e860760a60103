import Testing

@testable import WebPush

@Suite struct DeliveryQueueTests {
    private var queue = DeliveryQueue(capacity: 4, concurrency: 2)

    private func message(_ name: String, topic: String = "mail", at host: String = "fcm.googleapis.com") throws
        -> PushMessage
    {
        let subscription = try PushSubscription(
            endpoint: "https://\(host)/\(name)",
            publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            secret: "BTBZMqHH6r4Tts7J_aSIgg", at: PushServices())
        return PushMessage(Array(name.utf8), to: subscription, topic: topic, lifetime: 60, contact: "https://a.example")
    }

    @Test mutating func noMoreAreOnTheirWayThanMayBe() throws {
        for name in ["a", "b", "c"] { #expect(queue.add(try message(name), now: 0)) }
        let first = try #require(queue.next(now: 0))
        _ = try #require(queue.next(now: 0))
        #expect(queue.next(now: 0) == nil && queue.nextMoment(now: 0) == nil)
        #expect(queue.answered(first.id, .accepted, now: 1, jitter: 0) == .ended(.accepted))
        #expect(try #require(queue.next(now: 1)).message.payload == Array("c".utf8))
    }

    @Test mutating func aFullQueueTakesNoMore() throws {
        for name in ["a", "b", "c", "d"] { #expect(queue.add(try message(name), now: 0)) }
        #expect(!queue.add(try message("e"), now: 0))
        #expect(queue.add(try message("a"), now: 0), "in place of one that waits")
    }

    @Test mutating func ofOneTopicTheNewestIsSentAlone() throws {
        _ = queue.add(try message("a"), now: 0)
        let sent = try #require(queue.next(now: 0))
        _ = queue.add(try message("a"), now: 1)
        _ = queue.add(try message("a"), now: 2)
        #expect(queue.next(now: 2) == nil, "while one is on its way, the next one waits")
        #expect(queue.answered(sent.id, .later(after: nil), now: 3, jitter: 0) == .ended(.replaced))
        let newest = try #require(queue.next(now: 3))
        #expect(queue.next(now: 3) == nil)
        #expect(queue.answered(newest.id, .accepted, now: 4, jitter: 0) == .ended(.accepted))
        #expect(queue.count == 0)
    }

    @Test mutating func whatFailsIsSentFiveTimesEverLater() throws {
        _ = queue.add(try message("a"), now: 0)
        var now: Int64 = 0
        var moments: [Int64] = []
        while let moment = queue.nextMoment(now: now) {
            now = moment
            moments.append(now)
            let sent = try #require(queue.next(now: now))
            let outcome = queue.answered(sent.id, .later(after: nil), now: now, jitter: 0.5)
            #expect(outcome == (moments.count == 5 ? .ended(.givenUp) : .waits))
        }
        #expect(moments == [0, 2000, 10_000, 42_000, 170_000])
    }

    @Test mutating func aServiceThatAsksForTimeGetsItFromAllItsMessages() throws {
        _ = queue.add(try message("a"), now: 0)
        _ = queue.add(try message("b"), now: 0)
        _ = queue.add(try message("c", at: "web.push.apple.com"), now: 0)
        let sent = try #require(queue.next(now: 0))
        #expect(queue.answered(sent.id, .later(after: .seconds(60)), now: 0, jitter: 0) == .waits)
        #expect(try #require(queue.next(now: 0)).message.payload == Array("c".utf8))
        #expect(queue.next(now: 59_999) == nil && queue.nextMoment(now: 0) == 60_000)
        #expect(queue.next(now: 60_000) != nil)
    }

    @Test mutating func noServiceHasUsWaitForMoreThanAnHour() throws {
        _ = queue.add(try message("a"), now: 0)
        let sent = try #require(queue.next(now: 0))
        _ = queue.answered(sent.id, .later(after: .seconds(86_400)), now: 0, jitter: 0)
        #expect(queue.nextMoment(now: 0) == 3_600_000)
    }

    @Test mutating func nothingWaitsForWhoIsGone() throws {
        for topic in ["mail", "news"] { _ = queue.add(try message("a", topic: topic), now: 0) }
        let sent = try #require(queue.next(now: 0))
        #expect(queue.answered(sent.id, .gone, now: 0, jitter: 0) == .ended(.gone))
        #expect(queue.next(now: 0) == nil && queue.count == 0)
    }

    @Test(arguments: [
        (201, PushAnswer.accepted), (200, .accepted), (202, .accepted), (404, .gone), (410, .gone),
        (429, .later(after: .seconds(7))),
        (500, .later(after: .seconds(7))), (503, .later(after: .seconds(7))), (413, .refused(status: 413)),
        (400, .refused(status: 400)),
        (401, .refused(status: 401)), (307, .refused(status: 307)),
    ])
    func aStatusSaysWhatToDo(status: Int, answer: PushAnswer) {
        #expect(PushAnswer(status: status, retryAfter: .seconds(7)) == answer)
    }
}
