import Testing
import WebSockets

@testable import RefreshableLists

struct IdempotencyKeyTests {
    @Test func keysOfTwoVisitorsAreTwo() {
        let owners: [IdempotencyKey.Owner] = [
            .session("a"), .session("b"), .token("a"), .token("b"), .address("a"), .address("b"),
        ]
        #expect(Set(owners.map { IdempotencyKey("1", of: $0) }).count == owners.count)
        #expect(IdempotencyKey("1", of: .session("a")) == IdempotencyKey("1", of: .session("a")))
        #expect(IdempotencyKey(gesture: 1, of: "a") != IdempotencyKey("1", of: .session("a")))
    }

    @Test func overHTTPWhoShowsATokenIsTheSameFromEverywhere() throws {
        func key(_ token: String?, _ address: String) throws -> IdempotencyKey? {
            var headers: HTTPHeaders = ["Idempotency-Key": "1"]
            headers["Authorization"] = token.map { "Bearer \($0)" }
            return try IdempotencyKey(HTTPRequest(path: "/", headers: headers, remoteAddress: address))
        }
        #expect(try key("t", "192.0.2.1") == key("t", "192.0.2.2"))
        #expect(try key("t", "192.0.2.1") != key("u", "192.0.2.1"))
        #expect(try key(nil, "192.0.2.1") != key(nil, "192.0.2.2"))
    }

    @Test func aKeyThatIsTooLongIsRefused() throws {
        func request(_ length: Int) -> HTTPRequest {
            HTTPRequest(path: "/", headers: ["Idempotency-Key": String(repeating: "k", count: length)])
        }
        #expect(try IdempotencyKey(request(256)) != nil)
        #expect(throws: IdempotencyKey.TooLong.self) { try IdempotencyKey(request(257)) }
        #expect(try IdempotencyKey(HTTPRequest(path: "/")) == nil)
    }

    @Test func aKeyIsSixteenBytes() { #expect(MemoryLayout<IdempotencyKey>.size == 16) }
}
