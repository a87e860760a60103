import Testing
import WebSockets

/// What a loop counts.
@Suite(.onThreadOfItsOwn) struct FigureTests {
    /// On the loop's thread, after all that was posted before.
    private func figures(of server: WebSocketServer) async -> LoopFigures {
        await withCheckedContinuation { continuation in
            let loop = server.loops[0]
            loop.post { continuation.resume(returning: loop.figures) }
        }
    }

    @Test func framesBytesAndMessagesAreCountedAsTheyGoOverTheWire() async throws {
        let handler = RecordingHandler()
        handler.onText = { text, socket in socket.send(SharedFrame(text: Array(text.utf8))) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.port)
            try peer.shakeHands()
            try peer.sendText("hello")
            _ = try peer.readFrame()
            let figures = await figures(of: server)
            // Two bytes of header, five of payload.
            #expect(figures.plain.frames == 1 && figures.plain.bytes == 7 && figures.compressed.frames == 0)
            #expect(figures.receivedMessages == 1 && figures.receivedBytes == 5)
            #expect(figures.connections == 1 && figures.sockets == 1)
            #expect(figures.acceptedConnections == 1 && figures.openedSockets == 1 && figures.closedSockets.isEmpty)
        }
    }

    @Test func aRefusedHandshakeIsCountedByItsReason() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.port)
            try peer.send("GET /ws HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
            _ = try peer.readHead()
            let figures = await figures(of: server)
            #expect(figures.refusals == [.host: 1] && figures.responses == [403: 1])
        }
    }
}
