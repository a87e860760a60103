import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import WebSockets

/// A server in a service group.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct ServiceGroupTests {
    @Test func aGracefulShutdownClosesWith1001AndRunReturnsWhenTasksHaveEnded() async throws {
        let ends = Results<Bool>()
        let server = WebSocketServer(port: 0) { socket in
            for await message in socket { try await socket.send(message) }
            ends.add(Task.isCancelled)
        }
        try await testGracefulShutdown { trigger in
            // Not on the thread on which the peer waits.
            let serving = Task { try await server.run() }
            let peer = try RawPeer(port: try await server.port)
            try peer.shakeHands()
            try peer.sendText("here")
            #expect(try peer.readFrame().payload == Array("here".utf8))
            trigger.triggerGracefulShutdown()
            let frame = try peer.readFrame()
            #expect(frame.code == 1001)
            try peer.sendFrame(opcode: 8, frame.payload)
            try await serving.value
        }
        // Its task ended by itself: a shutdown cancels nobody.
        #expect(try await ends.next() == false)
    }

    @Test func aServerThatCanNotListenEndsItsGroupWithTheReason() async throws {
        try await withSocketServer(serve: { _ in }) { _, port in
            let group = ServiceGroup(
                services: [WebSocketServer(port: port) { _ in }], logger: Logger(label: "test"))
            await #expect {
                try await group.run()
            } throws: { error in
                guard case SocketError.portInUse(_, port, _) = error else { return false }
                return true
            }
        }
    }
}
