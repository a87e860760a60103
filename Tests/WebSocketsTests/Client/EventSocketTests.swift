import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct EventSocketTests {
    private func echo() -> RecordingHandler {
        let handler = RecordingHandler()
        handler.onText = { text, socket in if socket.isWritable { socket.sendNow(SharedFrame(text: Array(text.utf8))) }
        }
        return handler
    }

    private func next(_ client: EventSocket) async throws -> EventSocket.Event {
        for await event in client.events { return event }
        throw MissingEvent(description: "The client's events ended.")
    }

    @Test func itSpeaksWithOurServer() async throws {
        try await withServer(echo()) { server, handler in
            let client = try EventSocket(
                url: "ws://localhost:\(server.listeningPort)/ws", subprotocol: "refreshable.v1")
            client.connect()
            #expect(try await next(client) == .opened(subprotocol: "refreshable.v1"))
            let long = String(repeating: "ä", count: 5000)
            client.send("hello")
            client.send(long)
            #expect(try await next(client) == .text("hello"))
            #expect(try await next(client) == .text(long))
            client.close(4000, "enough")
            #expect(try await next(client) == .closed(CloseStatus(code: 4000, reason: "enough", wasClean: true)))
            await client.stop()
            _ = try await (handler.next(), handler.next(), handler.next())
            #expect(try await handler.next() == .closed(CloseStatus(code: 4000, reason: "enough", wasClean: true)))
        }
    }

    @Test func aCutIsNoGoodbye() async throws {
        try await withServer { server, handler in
            let client = try EventSocket(url: "ws://localhost:\(server.listeningPort)/ws")
            client.connect()
            #expect(try await next(client) == .opened(subprotocol: nil))
            client.cut()
            #expect(try await next(client) == .closed(CloseStatus(code: 1006, wasClean: false)))
            await client.stop()
            _ = try await handler.next()
            #expect(try await handler.next() == .closed(CloseStatus(code: 1006, wasClean: false)))
        }
    }

    @Test func itSendsTheHeadersItIsGiven() async throws {
        try await withServer(configure: { $0.originHint = "Use --allow-origin." }) { server, _ in
            let client = try EventSocket(
                url: "ws://localhost:\(server.listeningPort)/ws", headers: ["Origin": "https://elsewhere.example"])
            client.connect()
            guard case .failed = try await next(client) else {
                Issue.record("A foreign origin was accepted.")
                return
            }
            await client.stop()
        }
    }

    @Test func nothingListeningIsAClearError() async throws {
        let client = try EventSocket(url: "ws://127.0.0.1:1/ws")
        client.connect()
        guard case .failed(let error) = try await next(client) else {
            Issue.record("A connection to port 1 was reported open.")
            return
        }
        #expect("\(error)".hasPrefix("Cannot connect to ws://127.0.0.1:1/ws: "))
        await client.stop()
    }

    @Test(arguments: ["http://localhost", "localhost:8080", "ws://", "ws://a b/", "ws://host:99999/"])
    func aBadAddressIsRefusedBeforeConnecting(_ url: String) {
        #expect(throws: SocketError.self) { try EventSocket(url: url) }
    }

    @Test func aGetReturnsStatusAndBody() async throws {
        try await withServer { server, _ in
            let response = try await HTTPClient.get("http://localhost:\(server.listeningPort)/healthz")
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == "GET /healthz 0\n")
        }
    }

    @Test(arguments: [0, 1, 16 * 1024, 16 * 1024 + 1, 1_000_000])
    func aBodyArrivesWhole(size: Int) async throws {
        try await withServer { server, _ in
            let body = (0..<size).map { UInt8($0 % 251) }
            let response = try await HTTPClient.send(
                "PATCH", "http://localhost:\(server.listeningPort)/x", headers: ["Content-Type": "application/json"],
                body: body,
                timeout: .seconds(20))
            #expect(String(decoding: response.body, as: UTF8.self) == "PATCH /x \(size)\n")
        }
    }

    @Test func aGetOfNothingIsAClearError() async {
        await #expect(throws: SocketError.self) { try await HTTPClient.get("http://127.0.0.1:1/") }
    }
}
