import Foundation
import HTTPTypes
import Locking
import RefreshableLists
import RefreshableListsTesting
import ServiceLifecycleTestKit
import Synchronization
import Testing
import WebSockets

@testable import RefreshableLists

/// Conversations over connections of another server.
@Suite(.timeLimit(.minutes(1))) struct EmbeddedSessionTests {
    /// The client's end of a connection.
    private struct Client: Sendable {
        let sent: AsyncStream<String>
        let send: AsyncStream<String>.Continuation
        let received: AsyncStream<String>
        let receive: AsyncStream<String>.Continuation

        init() {
            (sent, send) = AsyncStream.makeStream()
            (received, receive) = AsyncStream.makeStream()
        }

        /// Serves this client, beside the test.
        func connected(
            to server: RefreshableServer, as identity: AccessIdentity? = nil
        ) -> Task<EmbeddedSession.CloseFrame?, Never> {
            Task { await server.serve(sent, as: identity) { receive.yield($0) } }
        }

        /// The next message of that type.
        func next(_ type: String) async -> String {
            await received.first { $0.hasPrefix(#"{"type":"\#(type)""#) } ?? "none"
        }
    }

    private let fruit = RefreshableList("fruit").rows([ListRow("a", title: "Apple")])
    private let watch = #"{"type":"watch","id":"1","list":"fruit"}"#

    @Test func aClientIsServedUntilItSaysGoodbye() async throws {
        try await embedding([fruit]) { server in
            let client = Client()
            let serving = client.connected(to: server)
            client.send.yield(watch)
            #expect(await client.next("welcome").contains("refreshable.v1"))
            #expect(await client.next("ok").contains(#""id":"1""#))
            #expect(await client.next("snapshot").contains("Apple"))
            try await server[fruit].insert(ListRow("b", title: "Banana"))
            #expect(await client.next("patch").contains("Banana"))
            client.send.finish()
            #expect(await serving.value == nil)
        }
    }

    @Test func theServersEndIsToldAndEndsTheCall() async throws {
        let client = Client()
        let serving = Kept<Task<EmbeddedSession.CloseFrame?, Never>>()
        try await embedding([fruit]) { server in
            serving.keep(client.connected(to: server))
            _ = await client.next("welcome")
        }
        #expect(try await serving.take().value == EmbeddedSession.CloseFrame(code: 4200, reason: "draining"))
        #expect(await client.next("goodbye").contains(#""reconnect":true"#))
    }

    @Test func aGracefulShutdownOfTheOtherServerIsToldToo() async throws {
        try await embedding([fruit]) { server in
            let client = Client()
            let closeFrame = await testGracefulShutdown { trigger in
                async let serving = server.serve(client.sent) { client.receive.yield($0) }
                _ = await client.next("welcome")
                trigger.triggerGracefulShutdown()
                return await serving
            }
            #expect(closeFrame?.code == 4200)
            #expect(await client.next("goodbye").contains(#""reconnect":true"#))
        }
    }

    @Test func anIdentityWatchesWhatItMayRead() async throws {
        let salaries = RefreshableList("salaries").rows([])
        try await embedding([fruit, salaries]) { server in
            let client = Client()
            let serving = client.connected(to: server, as: AccessIdentity("ada", rights: ["fruit": [.read]]))
            client.send.yield(watch)
            #expect(await client.next("snapshot").contains("Apple"))
            client.send.yield(#"{"type":"watch","id":"2","list":"salaries"}"#)
            #expect(await client.next("error").contains("unknownList"))
            client.send.yield(#"{"type":"refresh","id":"3","list":"fruit"}"#)
            #expect(await client.next("error").contains("ada may not refresh"))
            client.send.finish()
            _ = await serving.value
        }
    }

    @Test func anIdentityThatExpiresEndsItsSession() async throws {
        try await embedding([fruit]) { server in
            let client = Client()
            let past = AccessIdentity("ada", rights: ["*": [.read]], expiresAt: Date(timeIntervalSince1970: 1))
            let serving = client.connected(to: server, as: past)
            client.send.yield(watch)
            #expect(await serving.value?.code == 4201)
        }
    }

    @Test func aChangeOfTheTokensIsNoMatterOfAnIdentity() async throws {
        try await embedding([fruit]) { server in
            let client = Client()
            let serving = client.connected(to: server, as: AccessIdentity("ada", rights: ["*": [.read]]))
            _ = await client.next("welcome")
            server.change(to: .tokens([]))
            client.send.yield(watch)
            #expect(await client.next("snapshot").contains("Apple"))
            client.send.finish()
            #expect(await serving.value == nil)
        }
    }

    @Test func aPageOfAnotherSiteIsSentAway() async throws {
        try await embedding([fruit]) { server in
            let request = HTTPRequest.opening(origin: "https://evil.example")
            let closeFrame = await server.serve(Client().sent, openedBy: request, from: "192.0.2.1", as: nil) { _ in }
            #expect(closeFrame?.code == 4003)
        }
    }

    @Test func aGoodbyeWithdrawsFromARefreshAndALostConnectionDoesNot() async throws {
        struct Lost: Error {}
        let gate = HandlerGate(isOpen: true)
        let slow = RefreshableList("slow").refreshable {
            try await gate.pass()
            return [ListRow("a")]
        }
        for isClean in [false, true] {
            try await embedding([slow]) { server in
                var outcomes = server[slow].outcomes.makeAsyncIterator()
                let came = gate.begun
                let client = Client()
                let messages = AsyncThrowingStream<String, any Error> {
                    for await text in client.sent { return text }
                    if isClean { return nil }
                    throw Lost()
                }
                let serving = Task {
                    await server.serve(messages, openedBy: .opening(), from: "192.0.2.1", as: nil) { _ in }
                }
                client.send.yield(#"{"type":"watch","id":"1","list":"slow"}"#)
                #expect(await outcomes.next(isolation: nil)?.outcome == .success)
                gate.close()
                client.send.yield(#"{"type":"refresh","id":"2","list":"slow"}"#)
                await gate.arrival(came + 2)
                client.send.finish()
                #expect(await serving.value == nil)
                if !isClean { gate.open() }
                #expect(await outcomes.next(isolation: nil)?.outcome == (isClean ? .cancelled : .success))
                gate.open()
            }
        }
    }

    /// Of five hundred states it gets the newest, and few others.
    @Test func aSlowClientIsSentFewerAndNewerMessages() async throws {
        let large = String(repeating: "x", count: 1000)
        try await embedding([fruit]) { server in
            let client = Client()
            let gate = HandlerGate(isOpen: true)
            let count = Mutex(0)
            let serving = Task {
                await server.serve(client.sent) { text in
                    try await gate.pass()
                    count.withLock { $0 += 1 }
                    client.receive.yield(text)
                }
            }
            client.send.yield(watch)
            _ = await client.next("snapshot")
            gate.close()
            for number in 0..<500 {
                try await server[fruit].edit { $0.insert(ListRow("n", title: "\(number) \(large)")) }
            }
            gate.open()
            #expect(await client.received.first { $0.contains("499 x") } != nil)
            #expect(count.withLock(\.self) < 100)
            client.send.finish()
            _ = await serving.value
        }
    }

    @Test func aClientThatTakesNothingIsGivenUp() async throws {
        try await embedding([many]) { server in
            let session = try await session(of: server, stallLimit: .milliseconds(1))
            session.receive(#"{"type":"watch","id":"1","list":"many"}"#)
            let gate = HandlerGate()
            #expect(await session.carry { _ in try await gate.pass() }?.code == 4101)
        }
    }

    @Test func aClientThatTakesNothingIsNotHeard() async throws {
        try await embedding([many]) { server in
            let session = try await session(of: server, stallLimit: .seconds(60))
            let gate = HandlerGate()
            let carrying = Task { await session.carry { _ in try await gate.pass() } }
            session.receive(#"{"type":"watch","id":"1","list":"many"}"#)
            await gate.arrival()
            while !session.isBlocked { await Task.yield() }
            let asking = Task { await session.received(#"{"type":"ping","id":"2"}"#) }
            for number in 0..<300 { session.receive(#"{"type":"ping","id":"\#(number)"}"#) }
            #expect(await carrying.value?.code == 4101)
            await asking.value
        }
    }

    /// More than fits into what waits for a client.
    private let many = RefreshableList("many").rows(
        (0..<300).map { ListRow("\($0)", title: String(repeating: "x", count: 1000)) })

    private func session(of server: RefreshableServer, stallLimit: Duration) async throws -> EmbeddedSession {
        _ = await server.ask(.get, "/live/lists")
        let sessions = server.embedding.withLock { $0 }
        let handshake = Handshake(path: "/ws", headers: [:], remoteAddress: "192.0.2.1")
        return try #require(sessions).session(handshake, as: nil, stallLimit: stallLimit)
    }
}
