import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct EchoTests {
    @Test func aTextComesBack() async throws {
        let handler = RecordingHandler()
        handler.onText = { text, socket in socket.sendNow(SharedFrame(text: Array(text.utf8))) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            try peer.sendText("hello")
            #expect(try peer.readFrame() == .init(opcode: 1, payload: Array("hello".utf8)))
        }
    }
}
