import Synchronization
import Testing

@testable import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct LifecycleTests {
    @Test func stoppingSaysGoodbyeAndTheCodeToAll() async throws {
        var configuration = WebSocketServer.Configuration()
        configuration.heartbeat = .seconds(3600)
        let server = try WebSocketServer(configuration: configuration, loops: 2, handler: { _ in RecordingHandler() })
        try server.start()
        let port = server.listeningPort
        let peers = try (0..<20).map { _ in try RawPeer(port: port) }
        for peer in peers { try peer.shakeHands() }
        let ended = Task.detached {
            await server.stop(
                goodbye: { batch, count in SharedFrame(text: Array("goodbye \(batch) of \(count)".utf8)) }, code: 4200,
                reason: "draining")
        }
        for peer in peers {
            #expect(try peer.readFrame() == .init(opcode: 1, payload: Array("goodbye 0 of 1".utf8)))
            let close = try peer.readFrame()
            #expect(close.code == 4200)
            #expect(String(decoding: close.payload.dropFirst(2), as: UTF8.self) == "draining")
            try peer.sendFrame(opcode: 8, Array(close.payload.prefix(2)))
        }
        await ended.value
        #expect(server.connectionCount == 0)
        #expect(throws: RawPeer.Failure.self) { try RawPeer(port: port) }
    }

    @Test func stoppingLetsARequestUnderWayBeAnswered() async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        handler.onRequest = { _, exchange in kept.continuation.yield(exchange) }
        let server = try WebSocketServer(handler: { _ in handler })
        try server.start()
        let peer = try RawPeer(port: server.listeningPort)
        try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let exchange = await kept.stream.first { _ in true }
        let stopped = Task.detached { await server.stop() }
        try await eventually { server.listeningPort <= 0 }
        exchange?.answer(.text(200, "in time"))
        let response = try peer.readToEnd()
        #expect(response.contains("in time"))
        await stopped.value
    }

    @Test func aSocketThatDoesNotAnswerTheCloseIsCutAfterTheGrace() async throws {
        let server = try WebSocketServer(handler: { _ in RecordingHandler() })
        try server.start()
        let peer = try RawPeer(port: server.listeningPort)
        try peer.shakeHands()
        await server.stop(grace: .milliseconds(50))
        #expect(try peer.readFrame().code == 1001)
        #expect(try peer.read().isEmpty)
    }

    @Test func aPortInUseIsAClearError() async throws {
        try await withServer { server, _ in
            var configuration = WebSocketServer.Configuration()
            configuration.port = server.listeningPort
            configuration.portHint = "Choose another with --port."
            let second = try WebSocketServer(configuration: configuration, handler: { _ in RecordingHandler() })
            do {
                try second.start()
                Issue.record("Two servers share a port.")
            } catch {
                #expect(
                    "\(error)"
                        == "Cannot listen on port \(server.listeningPort): address in use. Choose another with --port.")
            }
            await second.stop()
        }
    }

    @Test(arguments: ["203.0.113.7", "no.such.host.invalid", "not a host"])
    func aHostThatIsNotOursIsAClearError(_ host: String) async throws {
        var configuration = WebSocketServer.Configuration()
        configuration.host = host
        let server = try WebSocketServer(configuration: configuration, handler: { _ in RecordingHandler() })
        do {
            try server.start()
            Issue.record("It listens on \(host).")
        } catch {
            #expect("\(error)".hasPrefix("Cannot listen on \(host)"))
        }
        await server.stop()
    }

    @Test(arguments: ["::1", "[::1]", "localhost", "0.0.0.0", "::"])
    func itListensOnAnyKindOfHost(_ host: String) async throws {
        try await withServer(configure: { $0.host = host }) { server, _ in #expect(server.listeningPort > 0) }
    }

    @Test func twoLoopsShareTheConnections() async throws {
        let seen = Mutex<Set<String>>([])
        let server = try WebSocketServer(
            loops: 2,
            handler: { loop in
                let handler = RecordingHandler()
                handler.onOpened = { socket in seen.withLock { _ = $0.insert(socket.loop.name) } }
                handler.onText = { text, socket in socket.sendNow(SharedFrame(text: Array(text.utf8))) }
                return handler
            })
        try server.start()
        let peers = try (0..<4).map { _ in try RawPeer(port: server.listeningPort) }
        for (number, peer) in peers.enumerated() {
            try peer.shakeHands()
            try peer.sendText("\(number)")
            #expect(try peer.readFrame().payload == Array("\(number)".utf8))
        }
        #expect(seen.withLock { $0 } == ["loop 0", "loop 1"])
        await server.stop()
    }

    @Test func oneConnectionTooManyIsTurnedAwayWithAWord() async throws {
        try await withServer(configure: { $0.maximumConnections = 1 }) { server, handler in
            let first = try RawPeer(port: server.listeningPort)
            try first.shakeHands()
            let second = try RawPeer(port: server.listeningPort)
            #expect(try second.readToEnd().hasPrefix("HTTP/1.1 503"))
            first.hangUp()
            _ = try await (handler.next(), handler.next())
            // The count falls when the library has let go of the first, a moment after its end was told.
            try await eventually { server.connectionCount <= 0 }
            try RawPeer(port: server.listeningPort).shakeHands()
        }
    }

    @Test func aPeerThatDoesNotPongIsClosedWith4102() async throws {
        try await withServer(configure: {
            $0.heartbeat = .seconds(1)
            $0.pongTimeout = .milliseconds(500)
        }) { server, _ in
            let silent = try RawPeer(port: server.listeningPort)
            try silent.shakeHands()
            let ping = try silent.readFrame()
            #expect(ping.opcode == 9)
            #expect(try silent.readFrame().code == 4102)
            let alive = try RawPeer(port: server.listeningPort)
            try alive.shakeHands()
            for _ in 0..<3 {
                let ping = try alive.readFrame()
                #expect(ping.opcode == 9)
                try alive.sendFrame(opcode: 10, ping.payload)
            }
        }
    }

    /// In a process of its own, so that nothing else opens descriptors or takes memory.
    @Test func serversComeAndGoWithoutATrace() async {
        await #expect(processExitsWith: .success) {
            func cycle() async throws {
                let server = try WebSocketServer(handler: { _ in RecordingHandler() })
                try server.start()
                let peer = try RawPeer(port: server.listeningPort)
                try peer.shakeHands()
                await server.stop(grace: .milliseconds(1))
            }
            for _ in 0..<20 { try await cycle() }
            let descriptors = Usage.descriptors()
            let kilobytes = Usage.residentKilobytes()
            for _ in 0..<200 { try await cycle() }
            #expect(Usage.descriptors() == descriptors)
            // One context is 330 KB: 200 of them left behind would be 66 MB.
            #expect(Usage.residentKilobytes() - kilobytes < 20_000)
        }
    }
}
