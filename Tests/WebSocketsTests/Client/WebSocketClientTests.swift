import HTTPTypes
import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct WebSocketClientTests {
    @Sendable private static func echo(_ socket: WebSocket) async throws {
        for await message in socket { try await socket.send(message) }
    }

    @Test(arguments: [true, false]) func itHasTheFaceOfTheServersSocket(compresses: Bool) async throws {
        let texts = ["", "small", String(repeating: "large ", count: 20_000)]
        try await withSocketServer(configure: { $0.compresses = compresses }, serve: Self.echo) { _, port in
            let socket = try await WebSocketClient.connect(to: "ws://localhost:\(port)/echo")
            #expect(socket.isCompressing == compresses)
            for text in texts {
                try await socket.send(text)
                #expect(await socket.receive() == .text(text))
                try await socket.send(Array(text.utf8))
                #expect(await socket.receive() == .binary(Array(text.utf8)))
            }
            let trip = try await withReader(of: socket) { try await socket.ping() }
            #expect(trip > .zero)
            let status = try await socket.close(code: 4000, reason: "enough")
            #expect(status == CloseStatus(code: 4000, reason: "enough", wasClean: true))
        }
    }

    /// Pongs stand between messages, so somebody has to take these.
    private func withReader<Result: Sendable>(
        of socket: WebSocket, _ body: () async throws -> Result
    ) async throws -> Result {
        let reading = Task { for await _ in socket {} }
        defer { reading.cancel() }
        return try await body()
    }

    @Test func headersAndSubprotocolsAreNegotiated() async throws {
        let requests = Results<ServerRequest>()
        try await withSocketServer(
            configure: { $0.subprotocols = ["chat.v2", "chat.v1"] },
            serve: { socket in
                requests.add(socket.request)
                try await socket.send(socket.subprotocol ?? "none")
            }
        ) { _, port in
            var configuration = WebSocketClient.Configuration()
            configuration.subprotocols = ["chat.v1"]
            configuration.headerFields[.authorization] = "Bearer 1"
            let url = "ws://localhost:\(port)/rooms/a%2Fb?since=4"
            try await WebSocketClient.connect(to: url, configuration: configuration) { socket in
                #expect(await socket.receive() == .text("chat.v1"))
                #expect(socket.subprotocol == "chat.v1")
                #expect(await socket.receive() == nil)
                #expect(socket.closeStatus == CloseStatus(code: 1000, wasClean: true))
            }
            let request = try await requests.next()
            #expect(request.head.path == "/rooms/a%2Fb?since=4" && request.queryValue("since") == "4")
            #expect(request.head.headerFields[.authorization] == "Bearer 1")
        }
    }

    @Test func aRefusalSaysItsStatus() async throws {
        try await withSocketServer(upgrade: { _ in .text("Who?", .unauthorized) }, serve: Self.echo) { _, port in
            let error = await #expect(throws: SocketError.self) {
                try await WebSocketClient.connect(to: "ws://127.0.0.1:\(port)/")
            }
            #expect(error?.description.contains("401") == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["http://localhost", "localhost:8080", "ws://", "ws://a b/", "ws://host:99999/"])
    func aBadAddressIsAnError(url: String) async {
        await #expect(throws: SocketError.self) { try await WebSocketClient.connect(to: url) }
    }

    @Test func nothingListeningIsAnError() async {
        await #expect(throws: SocketError.self) { try await WebSocketClient.connect(to: "ws://127.0.0.1:1/") }
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        try await withSocketServer(
            upgrade: { _ in
                for await _ in gate {}
                return nil
            }, serve: Self.echo
        ) { server, port in
            var configuration = WebSocketClient.Configuration()
            configuration.connectTimeout = .milliseconds(50)
            let settings = configuration
            await #expect(throws: SocketError.self) {
                try await WebSocketClient.connect(to: "ws://127.0.0.1:\(port)/", configuration: settings)
            }
            opening.finish()
            try await eventually { server.connectionCount == 0 }
        }
    }

    @Test func connectingCanBeCancelled() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let arrivals = Results<Void>()
        try await withSocketServer(
            upgrade: { _ in
                arrivals.add(())
                for await _ in gate {}
                return nil
            }, serve: Self.echo
        ) { server, port in
            let connecting = Task { try await WebSocketClient.connect(to: "ws://127.0.0.1:\(port)/") }
            try await arrivals.next()
            connecting.cancel()
            await #expect(throws: CancellationError.self) { try await connecting.value }
            try await eventually { server.connectionCount == 0 }
            opening.finish()
        }
    }

    @Test func aServerThatDoesNotReadSuspendsItsClient() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let counts = Results<Int>()
        try await withSocketServer(serve: { socket in
            for await _ in gate {}
            var bytes = 0
            for await case .binary(let message) in socket { bytes += message.count }
            counts.add(bytes)
        }) { _, port in
            let socket = try await WebSocketClient.connect(to: "ws://127.0.0.1:\(port)/")
            let sending = Task {
                var bytes = 0
                while true {
                    do { try await socket.send([UInt8](repeating: 1, count: 10_000)) } catch { return bytes }
                    bytes += 10_000
                    guard bytes < 100_000_000 else { return bytes }
                }
            }
            // It is held up: the systems' queues, and the limits of both sides, are far less than it wants to send.
            try await eventually { socket.isHeldUp }
            sending.cancel()
            let sent = await sending.value
            #expect(sent < 20_000_000)
            opening.finish()
            try await socket.close()
            #expect(try await counts.next() == sent)
        }
    }

    @Test func theScopedFormClosesTheSocket() async throws {
        let statuses = Results<CloseStatus?>()
        struct Fault: Error {}
        try await withSocketServer(serve: { socket in
            for await _ in socket {}
            statuses.add(socket.closeStatus)
        }) { _, port in
            let url = "ws://127.0.0.1:\(port)/"
            let result = try await WebSocketClient.connect(to: url) { _ in 7 }
            #expect(result == 7)
            #expect(try await statuses.next()?.code == 1000)
            await #expect(throws: Fault.self) { try await WebSocketClient.connect(to: url) { _ in throw Fault() } }
            #expect(try await statuses.next()?.code == 1001)
        }
    }
}
