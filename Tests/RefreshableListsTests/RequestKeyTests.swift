import Testing
import WebSockets

@testable import RefreshableLists

struct RequestKeyTests {
    @Test func keysOfTwoVisitorsAreTwo() {
        let owners: [RequestKey.Owner] = [
            .session("a"), .session("b"), .token("a"), .token("b"), .address("a"), .address("b"),
        ]
        #expect(Set(owners.map { RequestKey("1", of: $0) }).count == owners.count)
        #expect(RequestKey("1", of: .session("a")) == RequestKey("1", of: .session("a")))
        #expect(RequestKey(gesture: 1, of: "a") != RequestKey("1", of: .session("a")))
    }

    @Test func overHTTPWhoShowsATokenIsTheSameFromEverywhere() throws {
        func key(_ token: String?, _ address: String) throws -> RequestKey? {
            var headers: HTTPHeaders = ["Idempotency-Key": "1"]
            headers["Authorization"] = token.map { "Bearer \($0)" }
            return try RequestKey(HTTPRequest(path: "/", headers: headers, remoteAddress: address))
        }
        #expect(try key("t", "192.0.2.1") == key("t", "192.0.2.2"))
        #expect(try key("t", "192.0.2.1") != key("u", "192.0.2.1"))
        #expect(try key(nil, "192.0.2.1") != key(nil, "192.0.2.2"))
    }

    @Test func aKeyThatIsTooLongIsRefused() throws {
        func request(_ length: Int) -> HTTPRequest {
            HTTPRequest(path: "/", headers: ["Idempotency-Key": String(repeating: "k", count: length)])
        }
        #expect(try RequestKey(request(256)) != nil)
        #expect(throws: RequestKey.TooLong.self) { try RequestKey(request(257)) }
        #expect(try RequestKey(HTTPRequest(path: "/")) == nil)
    }

    @Test func aKeyIsSixteenBytes() { #expect(MemoryLayout<RequestKey>.size == 16) }
}
