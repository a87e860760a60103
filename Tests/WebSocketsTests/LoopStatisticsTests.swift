import Testing
import WebSockets

/// What a loop counts.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct LoopStatisticsTests {
    /// On the loop's thread, after all that was posted before.
    private func statistics(of server: WebSocketServer) async -> LoopStatistics {
        await withCheckedContinuation { continuation in
            let loop = server.loops[0]
            loop.post { continuation.resume(returning: loop.statistics) }
        }
    }

    @Test func framesBytesAndMessagesAreCountedAsTheyGoOverTheWire() async throws {
        let handler = RecordingHandler()
        handler.onText = { text, socket in socket.sendNow(SharedFrame(text: Array(text.utf8))) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            try peer.sendText("hello")
            _ = try peer.readFrame()
            let statistics = await statistics(of: server)
            // Two bytes of header, five of payload.
            #expect(statistics.plain.frames == 1 && statistics.plain.bytes == 7 && statistics.compressed.frames == 0)
            #expect(statistics.receivedMessages == 1 && statistics.receivedBytes == 5)
            #expect(statistics.connections == 1 && statistics.sockets == 1)
            #expect(
                statistics.acceptedConnections == 1 && statistics.openedSockets == 1 && statistics.closedSockets.isEmpty
            )
        }
    }

    @Test func aRefusedHandshakeIsCountedByItsReason() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET /ws HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
            _ = try peer.readHead()
            let statistics = await statistics(of: server)
            #expect(statistics.refusals == [.host: 1] && statistics.responses == [403: 1])
        }
    }
}
