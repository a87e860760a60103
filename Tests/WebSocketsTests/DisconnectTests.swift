import Glibc
import Testing

@testable import WebSockets

/// Who leaves while an answer is waited for is gone, and the owner hears of it.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct DisconnectTests {
    private static let ways: [(String, @Sendable (RawPeer) -> Void)] = [
        ("the end of the stream", { $0.hangUp() }),
        ("half of it", { shutdown($0.descriptor, Int32(SHUT_WR)) }),
        (
            "a reset",
            {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt($0.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                $0.hangUp()
            }
        ),
    ]

    @Test(arguments: ways.indices, ["", "GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n"])
    func whoLeavesWhileAnAnswerIsWaitedForGivesUpThePlace(_ way: Int, _ more: String) async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        let left = AsyncStream<Void>.makeStream()
        handler.onRequest = { _, exchange in
            exchange.whenAbandoned { left.continuation.yield() }
            kept.continuation.yield(exchange)
        }
        try await withServer(handler) {
            $0.absenceCheck = .milliseconds(20)
        } _: { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + more)
            let exchange = await kept.stream.first { _ in true }
            Self.ways[way].1(peer)
            _ = await left.stream.first { _ in true }
            exchange?.answer(.text(200, "too late"))
            try await eventually { server.connectionCount <= 0 }
        }
    }

    @Test func whoSendsMoreAheadThanAnybodyReadsIsNotWaitedFor() async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        handler.onRequest = { _, exchange in kept.continuation.yield(exchange) }
        try await withServer(handler) {
            $0.absenceCheck = .milliseconds(20)
        } _: { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let exchange = await kept.stream.first { _ in true }
            // Its end of the stream stands behind it, where nobody sees it.
            while peer.sendAtOnce([UInt8](repeating: 0x61, count: 65_536)) > 0 {}
            peer.hangUp()
            try await eventually { server.connectionCount <= 0 }
            exchange?.answer(.text(200, "too late"))
        }
    }

    @Test func whoStaysIsAnsweredHoweverLongItTakes() async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        handler.onRequest = { _, exchange in
            exchange.whenAbandoned { Issue.record("Nobody left.") }
            kept.continuation.yield(exchange)
        }
        try await withServer(handler) {
            $0.absenceCheck = .milliseconds(1)
        } _: { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let exchange = await kept.stream.first { _ in true }
            // Many looks later, as the loop counts time.
            let other = try RawPeer(port: server.listeningPort)
            handler.onRequest = { _, exchange in exchange.answer(.text(200, "other")) }
            for _ in 0..<50 {
                try other.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try other.readResponse().body == "other\n")
            }
            exchange?.answer(.text(200, "at last"))
            #expect(try peer.readResponse().body == "at last\n")
        }
    }

    @Test func whoLeftBeforeTheOwnerAskedIsToldOfAtOnce() {
        let exchange = HTTPExchange { _ in }
        exchange.abandon()
        var isTold = false
        withUnsafeMutablePointer(to: &isTold) { told in
            nonisolated(unsafe) let told = told
            exchange.whenAbandoned { told.pointee = true }
        }
        #expect(isTold)
    }
}
