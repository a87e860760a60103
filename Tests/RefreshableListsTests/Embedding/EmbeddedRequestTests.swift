import Foundation
import HTTPTypes
import RefreshableLists
import RefreshableListsTesting
import Synchronization
import Testing

/// What a server answers to requests that another server has received.
@Suite(.timeLimit(.minutes(1))) struct EmbeddedRequestTests {
    private let ada = AccessIdentity("ada", rights: ["board": [.read, .push], "fruit": [.read]])

    private func serving(
        _ configure: (inout RefreshableServer.Configuration) -> Void = { _ in },
        _ body: @Sendable (RefreshableServer) async throws -> Void
    ) async throws {
        let lists = [
            RefreshableList("fruit").rows([ListRow("a", title: "Apple")]), RefreshableList("board").acceptsPushes(),
            RefreshableList("salaries").rows([]),
        ]
        try await embedding(lists, configure, body)
    }

    @Test func aRequestBelowTheMountPathIsAnswered() async throws {
        try await serving { server in
            let rows = try #require(await server.ask(.get, "/live/lists/fruit"))
            #expect(rows.head.status == .ok && rows.text.contains("Apple"))
            #expect(rows.head.headerFields[.contentLength] == "\(rows.body.count)")
            let page = try #require(await server.ask(.get, "/live/"))
            #expect(page.head.headerFields[.contentType]?.hasPrefix("text/html") == true)
            #expect(await server.ask(.get, "/live/refreshable-list.js")?.head.status == .ok)
        }
    }

    @Test func whatIsNotThereIsForTheOtherServerToSay() async throws {
        try await serving { server in
            #expect(await server.ask(.get, "/lists/fruit") == nil)
            #expect(await server.ask(.get, "/live/nothing") == nil)
            #expect(await server.ask(.get, "/live/lists/nuts")?.head.status == .notFound)
        }
    }

    @Test func thePageItselfIsFoundWithoutTheSlash() async throws {
        try await serving { server in
            let answer = try #require(await server.ask(.get, "/live"))
            #expect(answer.head.status == .permanentRedirect && answer.head.headerFields[.location] == "live/")
        }
    }

    @Test func anAnswerToHEADHasALengthAndNoBody() async throws {
        try await serving { server in
            let answer = try #require(await server.ask(.head, "/live/lists/fruit"))
            #expect(answer.body.isEmpty)
            #expect(answer.head.headerFields[.contentLength].flatMap { Int($0) } ?? 0 > 0)
        }
    }

    @Test func anIdentityMayDoWhatItsRightsSayAndNoMore() async throws {
        try await serving { server in
            #expect(await server.ask(.get, "/live/lists/fruit", as: ada)?.head.status == .ok)
            #expect(await server.ask(.get, "/live/lists/salaries", as: ada)?.head.status == .notFound)
            #expect(await server.ask(.get, "/live/lists", as: ada)?.text.contains("salaries") == false)
            let row = #"{"fields":{"title":"Tea"}}"#
            let pushed = await server.ask(.put, "/live/lists/board/rows/k", body: row, as: ada)
            #expect(pushed?.head.status == .created)
            let ben = AccessIdentity("ben", rights: ["board": [.read]])
            let refused = await server.ask(.put, "/live/lists/board/rows/l", body: row, as: ben)
            #expect(refused?.head.status == .forbidden && refused?.text.contains("ben may not push") == true)
        }
    }

    @Test func anIdentityNeedsNoTokenWhereTokensAreAskedFor() async throws {
        let token = AccessToken("t", secret: "a secret of the test", rights: ["*": [.read]])
        try await serving({ $0.access = .tokens([token]) }) { server in
            #expect(await server.ask(.get, "/live/lists/fruit")?.head.status == .unauthorized)
            let shown: HTTPFields = [.authorization: "Bearer a secret of the test"]
            #expect(await server.ask(.get, "/live/lists/salaries", shown)?.head.status == .ok)
            #expect(await server.ask(.get, "/live/lists/fruit", as: ada)?.head.status == .ok)
            // Its login is the other server's: no form of ours asks for a token.
            #expect(await server.ask(.get, "/live/", as: ada)?.head.status == .ok)
            #expect(await server.ask(.get, "/live/")?.head.status == .seeOther)
            #expect(await server.ask(.get, "/live/sign-in", as: ada) == nil)
        }
    }

    @Test func anIdentityThatHasExpiredIsRefused() async throws {
        let past = AccessIdentity("ada", rights: ["*": [.read]], expiresAt: Date(timeIntervalSince1970: 1))
        try await serving { server in
            #expect(await server.ask(.get, "/live/lists/fruit", as: past)?.head.status == .unauthorized)
        }
    }

    @Test func aBodyIsCollectedForWhoMayPushAndForNobodyElse() async throws {
        try await serving { server in
            let limits = Mutex<[Int]>([])
            func push(as identity: AccessIdentity, _ body: [UInt8]) async throws -> EmbeddedResponse? {
                let request = HTTPRequest.asking(.put, "/live/lists/board/rows/k")
                return try await server.respond(to: request, from: "192.0.2.1", as: identity) { limit in
                    limits.withLock { $0.append(limit) }
                    return body
                }
            }
            let ben = AccessIdentity("ben", rights: ["board": [.read]])
            #expect(try await push(as: ben, [])?.head.status == .forbidden)
            #expect(limits.withLock(\.self).isEmpty)
            #expect(try await push(as: ada, Array("{}".utf8))?.head.status != .forbidden)
            let limit = try #require(limits.withLock(\.self).first)
            #expect(try await push(as: ada, Array(repeating: 0x20, count: limit + 1))?.head.status == .contentTooLarge)
        }
    }

    @Test func aPageOfAnotherSiteMayChangeNothing() async throws {
        let foreign: HTTPFields = [.origin: "https://evil.example"]
        try await serving { server in
            let answer = await server.ask(.put, "/live/lists/board/rows/k", foreign, body: "{}", as: ada)
            #expect(answer?.head.status == .forbidden)
            #expect(answer?.head.headerFields[.contentType] == "application/problem+json")
        }
        try await serving({ $0.allowedOrigins = ["https://evil.example"] }) { server in
            let row = #"{"fields":{}}"#
            let answer = await server.ask(.put, "/live/lists/board/rows/k", foreign, body: row, as: ada)
            #expect(answer?.head.status == .created)
            #expect(answer?.head.headerFields[.accessControlAllowOrigin] == "https://evil.example")
        }
    }

    @Test func aSocketIsOpenedForPagesOfThisSite() async throws {
        try await serving { server in
            #expect(server.upgradeFields(for: .opening()) == [.secWebSocketProtocol: "refreshable.v1"])
            #expect(server.upgradeFields(for: .opening("/ws")) == nil)
            #expect(server.upgradeFields(for: .asking(.get, "/live/ws")) == nil)
            let foreign = HTTPRequest.opening(origin: "https://evil.example")
            #expect(server.upgradeFields(for: foreign) == nil)
            let answer = try await server.respond(to: foreign, from: "192.0.2.1", as: nil)
            #expect(answer?.head.status == .forbidden)
            #expect(await server.ask(.get, "/live/ws")?.head.status.code == 426)
        }
    }

    @Test func aRequestThatIsCancelledWithdrawsFromItsRefresh() async throws {
        let gate = HandlerGate()
        let list = RefreshableList("slow").refreshable {
            try await gate.pass()
            return [ListRow("a")]
        }
        try await embedding([list]) { server in
            var outcomes = server[list].outcomes.makeAsyncIterator()
            let asking = Task {
                let request = HTTPRequest.asking(.post, "/live/lists/slow/refresh")
                return try await server.respond(to: request, from: "192.0.2.1", as: nil)
            }
            await gate.arrival()
            asking.cancel()
            await #expect(throws: CancellationError.self) { try await asking.value }
            #expect(await outcomes.next(isolation: nil)?.outcome == .cancelled)
        }
    }

    @Test func aServerThatHasEndedAnswersThatItIsAway() async throws {
        let ended = Kept<RefreshableServer>()
        try await serving { server in
            _ = await server.ask(.get, "/live/lists")
            ended.keep(server)
        }
        let server = try ended.take()
        #expect(await server.ask(.get, "/live/lists")?.head.status == .serviceUnavailable)
        #expect(server.upgradeFields(for: .opening()) == nil)
        let (messages, _) = AsyncStream<String>.makeStream()
        #expect(await server.serve(messages) { _ in }?.code == 4200)
        await #expect(throws: RefreshableServerError.noPort) { try await server.port }
    }

    @Test func aMountPathIsAPath() async throws {
        await #expect(throws: RefreshableServerError.invalidMountPath("live")) {
            try await embedding([], { $0.mountPath = "live" }) { server in
                #expect(await server.ask(.get, "/live/")?.head.status == .serviceUnavailable)
            }
        }
    }
}
