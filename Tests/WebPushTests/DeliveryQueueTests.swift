import Testing

@testable import WebPush

@Suite final class DeliveryQueueTests {
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

    private func add(_ name: String, topic: String = "mail", host: String = "fcm.googleapis.com", at now: Int64) throws
        -> Bool
    {
        queue.add(try message(name, topic: topic, at: host), now: now)
    }

    private func next(_ now: Int64) throws -> (id: DeliveryQueue.ID, message: PushMessage) {
        let next = queue.next(now: now)
        return try #require(next)
    }

    @Test func noMoreAreOnTheirWayThanMayBe() throws {
        for name in ["a", "b", "c"] { #expect(try add(name, at: 0)) }
        let first = try next(0)
        _ = try next(0)
        #expect(queue.next(now: 0) == nil && queue.nextMoment(now: 0) == nil)
        #expect(queue.answered(first.id, .accepted, now: 1, jitter: 0) == .ended(.accepted))
        #expect(try next(1).message.payload == Array("c".utf8))
    }

    @Test func aFullQueueTakesNoMore() throws {
        for name in ["a", "b", "c", "d"] { #expect(try add(name, at: 0)) }
        #expect(try !add("e", at: 0))
        #expect(try add("a", at: 0), "in place of one that waits")
    }

    @Test func ofOneTopicTheNewestIsSentAlone() throws {
        _ = try add("a", at: 0)
        let sent = try next(0)
        _ = try add("a", at: 1)
        _ = try add("a", at: 2)
        #expect(queue.next(now: 2) == nil, "while one is on its way, the next one waits")
        #expect(queue.answered(sent.id, .later(after: nil), now: 3, jitter: 0) == .ended(.replaced))
        let newest = try next(3)
        #expect(queue.next(now: 3) == nil)
        #expect(queue.answered(newest.id, .accepted, now: 4, jitter: 0) == .ended(.accepted))
        #expect(queue.count == 0)
    }

    @Test func whatFailsIsSentFiveTimesEverLater() throws {
        _ = try add("a", at: 0)
        var now: Int64 = 0
        var moments: [Int64] = []
        while let moment = queue.nextMoment(now: now) {
            now = moment
            moments.append(now)
            let sent = try next(now)
            let outcome = queue.answered(sent.id, .later(after: nil), now: now, jitter: 0.5)
            #expect(outcome == (moments.count == 5 ? .ended(.givenUp) : .waits))
        }
        #expect(moments == [0, 2000, 10_000, 42_000, 170_000])
    }

    @Test func aServiceThatAsksForTimeGetsItFromAllItsMessages() throws {
        _ = try add("a", at: 0)
        _ = try add("b", at: 0)
        _ = try add("c", host: "web.push.apple.com", at: 0)
        let sent = try next(0)
        #expect(queue.answered(sent.id, .later(after: .seconds(60)), now: 0, jitter: 0) == .waits)
        #expect(try next(0).message.payload == Array("c".utf8))
        #expect(queue.next(now: 59_999) == nil && queue.nextMoment(now: 0) == 60_000)
        #expect(queue.next(now: 60_000) != nil)
    }

    @Test func noServiceHasUsWaitForMoreThanAnHour() throws {
        _ = try add("a", at: 0)
        let sent = try next(0)
        _ = queue.answered(sent.id, .later(after: .seconds(86_400)), now: 0, jitter: 0)
        #expect(queue.nextMoment(now: 0) == 3_600_000)
    }

    @Test func nothingWaitsForWhoIsGone() throws {
        for topic in ["mail", "news"] { _ = try add("a", topic: topic, at: 0) }
        let sent = try next(0)
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
