import Synchronization
import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct BackPressureTests {
    private static let frame = SharedFrame(text: [UInt8](repeating: 0x61, count: 1000))

    /// Sends for as long as the socket takes it; the bytes.
    @discardableResult private static func fill(_ socket: WebSocket) -> Int {
        var bytes = 0
        while socket.isWritable, bytes < 50_000_000 { bytes += socket.sendNow(frame) }
        return bytes
    }

    @Test func aPeerThatDoesNotReadHoldsTheSenderUp() async throws {
        let handler = RecordingHandler()
        let sent = AsyncStream<Int>.makeStream()
        handler.onText = { _, socket in
            sent.continuation.yield(Self.fill(socket))
        }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            try peer.shakeHands()
            try peer.sendText("go")
            let bytes = await sent.stream.first { _ in true } ?? 0
            // What the system queues, here and there, and not what there would be to send.
            #expect(bytes < 4_000_000, "\(bytes)")
            _ = try peer.read(exactly: bytes - 500)
            _ = try await (handler.next(), handler.next())
            #expect(try await handler.next() == .writable)
        }
    }

    @Test func aPeerThatReadsAgainGetsEveryFrameWhole() async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in Self.fill(socket) }
        handler.onWritable = { socket in
            socket.sendNow(SharedFrame(text: Array("end".utf8)))
            socket.close(1000, "")
        }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            try peer.shakeHands()
            try peer.sendText("go")
            var frame = try peer.readFrame()
            while frame.opcode == 1, frame.payload.count == 1000 { frame = try peer.readFrame() }
            #expect(frame == .init(opcode: 1, payload: Array("end".utf8)))
            #expect(try peer.readFrame().code == 1000)
        }
    }

    @Test func anAnswerThatIsTakenSlowlyIsWholeAndTheNextFollows() async throws {
        let body = String(repeating: "0123456789", count: 1_000_000)
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in
            exchange.answer(.json(200, Array(request.path == "/large" ? body.utf8 : "small".utf8)))
        }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            for _ in 0..<2 { try peer.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            try peer.send("GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n")
            for _ in 0..<2 { #expect(try peer.readResponse().body == body) }
            #expect(try peer.readResponse().body == "small")
        }
    }

    @Test func closingWaitsForWhatIsPartlySent() async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in
            Self.fill(socket)
            socket.close(4100, "overload")
        }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            try peer.shakeHands()
            try peer.sendText("go")
            var frame = try peer.readFrame()
            while frame.opcode == 1 { frame = try peer.readFrame() }
            #expect(frame.code == 4100)
        }
    }

    @Test func takingNothingForTooLongIs4101() async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in Self.fill(socket) }
        try await withServer(handler, configure: { $0.stallLimit = .milliseconds(100) }) { server, handler in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            try peer.shakeHands()
            try peer.sendText("go")
            _ = try await (handler.next(), handler.next())
            #expect(try await handler.next() == .closed(CloseStatus(code: 4101, reason: "too slow", wasClean: false)))
        }
    }

    @Test func aPausedSocketIsReadLater() async throws {
        let handler = RecordingHandler()
        let paused = Mutex<WebSocket?>(nil)
        handler.onText = { text, socket in
            guard text == "pause" else { return }
            socket.pauseReading()
            paused.withLock { $0 = socket }
        }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            try peer.sendText("pause")
            _ = try await handler.next()
            #expect(try await handler.next() == .text("pause"))
            for number in 0..<100 { try peer.sendText("\(number)") }
            let socket = try #require(paused.withLock { $0 })
            socket.loop.post { socket.resumeReading() }
            for number in 0..<100 { #expect(try await handler.next() == .text("\(number)")) }
        }
    }
}
