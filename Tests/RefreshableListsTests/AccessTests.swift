import Foundation
import KeyedLists
import ListProtocol
import Testing
import WebSockets

@testable import RefreshableLists

/// Tokens over real sockets: what they allow, what nobody finds out, and how they end.
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    private static let secret = "a-secret-of-some-length"
    private static let other = "another-secret-of-some-length"

    @Test func aListThatOneMayNotSeeIsLikeOneThatIsNotThere() async throws {
        let server = try await RunningServer(configuration(["fruit": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)

        var told: [[String]] = []
        for name in ["salaries", "nothing"] {
            var texts: [String] = []
            for message in ["watch", "unwatch", "digest", #"refresh","fresh":"join"#, #"stop","run":"r1"#] {
                client.send(#"{"id":"1","list":"\#(name)","type":"\#(message)"}"#)
                texts.append(try await client.refusal("1").replacing(name, with: "NAME"))
            }
            for (method, path) in [("GET", ""), ("POST", "/refresh"), ("PATCH", ""), ("PUT", "/rows/a")] {
                texts.append(
                    try await server.ask(method, "/lists/\(name)\(path)", Self.secret).replacing(name, with: "NAME"))
            }
            told.append(texts)
        }

        #expect(told[0] == told[1])
        #expect(told[0].first?.hasPrefix("unknownList") == true)
        let names = try await server.ask("GET", "/lists", Self.secret)
        #expect(names.contains(#""name":"fruit""#) && !names.contains("salaries"))
        await client.end()
        try await server.stop()
    }

    @Test func withoutATokenEveryListNeedsOne() async throws {
        let server = try await RunningServer(configuration(["fruit": [.read]]), lists: lists)
        let client = try await server.connect()

        for name in ["fruit", "nothing"] {
            client.send(#"{"type":"watch","id":"1","list":"\#(name)"}"#)
            #expect(try await client.refusal("1").hasPrefix("unauthorised"))
            #expect(try await server.ask("GET", "/lists/\(name)", nil).hasPrefix("401"))
        }
        #expect(try await server.ask("GET", "/lists", nil).hasPrefix("401"))
        #expect(try await server.ask("GET", "/healthz", nil).hasPrefix("200"))
        await client.end()
        try await server.stop()
    }

    @Test func whoMayReadAloneIsNotToldThatTheListCanBeRefreshed() async throws {
        let server = try await RunningServer(configuration(["fruit": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)

        let ok = try await client.watch("fruit")
        client.send(#"{"type":"refresh","id":"r","list":"fruit","fresh":"join"}"#)

        #expect(ok.refreshable == false)
        #expect(try await client.refusal("r").hasPrefix("forbidden"))
        #expect(try await server.ask("POST", "/lists/fruit/refresh", Self.secret).hasPrefix("403"))
        #expect(try await server.ask("GET", "/lists/fruit", Self.secret).hasPrefix("200"))
        await client.end()
        try await server.stop()
    }

    @Test func aHelloShowsATokenAndAnotherOneRenewsIt() async throws {
        let tokens = [
            AccessToken("a", secret: Self.secret, rights: ["fruit": [.read, .refresh]]),
            AccessToken("b", secret: Self.other, rights: ["trees": [.read]]),
        ]
        let server = try await RunningServer(configuration(.tokens(tokens)), lists: lists)
        let client = try await server.connect()

        client.send(#"{"type":"hello","id":"h","token":"\#(Self.secret)"}"#)
        _ = try await client.ok("h")
        #expect(try await client.watch("fruit").refreshable == true)
        client.send(#"{"type":"hello","id":"i","token":"\#(Self.other)"}"#)
        try await client.next { if case .unwatched("fruit", .unknownList, _, _) = $0 { true } else { false } }
        _ = try await client.ok("i")
        #expect(try await client.watch("trees").title == "Trees")
        await client.end()
        try await server.stop()
    }

    @Test(arguments: [true, false])
    func aWrongTokenIsSentAway(isInHeader: Bool) async throws {
        let server = try await RunningServer(configuration(["fruit": [.read]]), lists: lists)

        let ended = await #expect(throws: Conversation.Ended.self) {
            let client = try await Conversation(port: server.port, token: isInHeader ? "wrong" : nil)
            client.send(#"{"type":"hello","id":"h","token":"wrong"}"#)
            #expect(try await client.refusal("h").hasPrefix("unauthorised"))
            _ = try await client.ok("never")
        }

        #expect(ended?.code == 4001)
        try await server.stop()
    }

    @Test func aTokenThatIsTakenAwayLosesItsConnectionsAtOnce() async throws {
        let server = try await RunningServer(configuration(["*": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)
        _ = try await client.watch("fruit")

        server.server.change(to: .tokens([]))

        let ended = await #expect(throws: Conversation.Ended.self) { _ = try await client.ok("never") }
        #expect(ended?.code == 4001)
        #expect(try await server.ask("GET", "/lists/fruit", Self.secret).hasPrefix("401"))
        await client.end()
        try await server.stop()
    }

    @Test func rightsThatAreTakenAwayAndGivenCountForOpenWatches() async throws {
        let server = try await RunningServer(configuration(["fruit": [.read, .refresh], "*": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)
        _ = try await client.watch("fruit")
        _ = try await client.watch("trees", id: "t")

        let less = AccessToken("somebody", secret: Self.secret, rights: ["fruit": [.read]])
        server.server.change(to: .tokens([less]))

        try await client.next { if case .settings(let list) = $0 { !list.refreshable } else { false } }
        try await client.next { if case .unwatched("trees", _, _, _) = $0 { true } else { false } }
        await client.end()
        try await server.stop()
    }

    @Test func aWatchThatIsUnderWayWhenItsRightIsTakenAwayIsRefused() async throws {
        let server = try await RunningServer(configuration(["*": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)
        let busy = Barrier()
        defer { busy.open() }
        server.server["fruit"]?.post { _ in busy.wait() }
        client.send(#"{"type":"watch","id":"w","list":"fruit"}"#)
        client.send(#"{"type":"ping","id":"p"}"#)
        _ = try await client.ok("p")

        server.server.change(to: .tokens([AccessToken("less", secret: Self.secret, rights: ["trees": [.read]])]))
        try await client.next { if case .unwatched("fruit", _, _, _) = $0 { true } else { false } }
        busy.open()

        #expect(try await client.refusal("w").hasPrefix("unknownList"))
        await client.end()
        try await server.stop()
    }

    @Test func anOpenConnectionEndsWhenItsTokenDoes() async throws {
        let server = try await RunningServer(configuration(["*": [.read]]), lists: lists)
        let client = try await Conversation(port: server.port, token: Self.secret)
        _ = try await client.watch("fruit")

        // However long it took to come in, it expires afterwards.
        let brief = AccessToken(
            "brief", secret: Self.secret, rights: ["*": [.read]],
            expiresAt: Date(milliseconds: SystemClock().now.date + 500))
        server.server.change(to: .tokens([brief]))
        let ended = await #expect(throws: Conversation.Ended.self) { _ = try await client.ok("never") }

        #expect(ended?.code == 4201)
        #expect(client.heard.contains { if case .goodbye(.tokenExpired, _, true, _) = $0 { true } else { false } })
        #expect(try await server.ask("GET", "/lists/fruit", Self.secret).contains("has expired"))
        await client.end()
        try await server.stop()
    }

    @Test(arguments: [true, false])
    func whereTheWallClockJumpsOverItsEndATokenIsOutAtOnce(speaks: Bool) async throws {
        let clock = SettableClock()
        let token = AccessToken(
            "somebody", secret: Self.secret, rights: ["*": [.read]],
            expiresAt: Date(milliseconds: clock.date + 3_600_000))
        let server = try await RunningServer(configuration(.tokens([token])), lists: lists, clock: clock)
        let client = try await Conversation(port: server.port, token: Self.secret)
        _ = try await client.watch("fruit")

        // The machine slept, or was told the time: no clock that only goes on has moved.
        clock.date += 3_600_000
        if speaks {
            client.send(#"{"type":"ping","id":"p"}"#)
        } else {
            try await server.server["fruit"]?.edit { $0.insert(ListRow("b", title: "Not for them")) }
        }

        let ended = await #expect(throws: Conversation.Ended.self) { _ = try await client.ok("p") }
        #expect(ended?.code == 4201)
        #expect(!client.heard.contains { if case .patch = $0 { true } else { false } })
        await client.end()
        try await server.stop()
    }

    @Test func whoIsQuietIsOutASecondAfterTheWallClockJumped() async throws {
        let clock = SettableClock()
        let token = AccessToken(
            "somebody", secret: Self.secret, rights: ["*": [.read]], expiresAt: Date(milliseconds: clock.date + 1000))
        let server = try await RunningServer(configuration(.tokens([token])), lists: lists, clock: clock)
        let client = try await Conversation(port: server.port, token: Self.secret)

        clock.date += 1_000_000
        let started = ContinuousClock.now
        let ended = await #expect(throws: Conversation.Ended.self) { _ = try await client.ok("never") }

        #expect(ended?.code == 4201 && ContinuousClock.now - started < .seconds(10))
        await client.end()
        try await server.stop()
    }

    private let lists = ["fruit", "trees", "salaries"].map { name in
        RefreshableList(name).rows([]).acceptsPushes().refreshable { [ListRow("a")] }
    }

    private func configuration(_ rights: AccessRights) -> RefreshableServer.Configuration {
        configuration(.tokens([AccessToken("somebody", secret: Self.secret, rights: rights)]))
    }

    private func configuration(_ access: Access) -> RefreshableServer.Configuration {
        var configuration = RefreshableServer.Configuration()
        configuration.access = access
        return configuration
    }
}

extension RunningServer {
    /// The status and the body of an answer.
    fileprivate func ask(_ method: String, _ path: String, _ token: String?) async throws -> String {
        let answer = try await HTTPClient.send(
            method, "http://127.0.0.1:\(port)\(path)", headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
            body: ["PATCH", "PUT"].contains(method) ? Array("{}".utf8) : [], timeout: .seconds(5))
        return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    }
}

extension Conversation {
    /// The code and the text of the error that answers a message.
    fileprivate func refusal(_ id: String) async throws -> String {
        let message = try await next {
            switch $0 {
            case .error(let answered, _, _, _): answered == id
            case .ok(let ok): ok.id == id
            default: false
            }
        }
        guard case .error(_, let code, let text, _) = message else { return "ok" }
        return "\(code.rawValue) \(text)"
    }
}
