import Testing

@testable import WebSockets

/// What becomes of bodies, which is decided at the head.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct BodyTests {
    private static func put(_ length: Int, _ more: String = "") -> String {
        "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    @Test func whoMayNotIsToldSoBeforeTheBodyIsSent() async throws {
        let handler = RecordingHandler()
        handler.onHead = { _ in .refuse(.text(403, "Not you.")) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(Self.put(1000))
            #expect(try peer.readToEnd().hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test func whoMayNotIsNotAskedForTheBody() async throws {
        let handler = RecordingHandler()
        handler.onHead = { _ in .refuse(.text(403, "Not you.")) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(Self.put(1000, "Expect: 100-continue\r\n"))
            #expect(try !peer.readToEnd().contains("100 Continue"))
        }
    }

    @Test func aBodyThatNobodyReadsIsPassedOverAndTheConnectionGoesOn() async throws {
        let handler = RecordingHandler()
        handler.onHead = { _ in .discard }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            for _ in 0..<3 {
                try peer.send(Self.put(65536) + String(repeating: "b", count: 65536))
                #expect(try peer.readResponse().body == "PUT /x 0\n")
            }
        }
    }

    @Test func aLargeBodyThatNobodyReadsIsRefused() async throws {
        let handler = RecordingHandler()
        handler.onHead = { _ in .discard }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(Self.put(65537))
            #expect(try peer.readToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func aBodyIsHeldToTheLimitOfItsRoute() async throws {
        let handler = RecordingHandler()
        handler.onHead = { _ in .keep(limit: 10) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(Self.put(10) + "0123456789" + Self.put(11))
            #expect(try peer.readResponse().body == "PUT /x 10\n")
            #expect(try peer.readResponse().head.hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func bodiesBeyondTheBudgetAreToBeSentLaterAndPlaceIsMadeWhenOneIsAnswered() async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        handler.onRequest = { _, exchange in kept.continuation.yield(exchange) }
        try await withServer(handler) {
            $0.bodyBudget = 1000
        } _: { server, _ in
            let first = try RawPeer(port: server.listeningPort)
            try first.send(Self.put(600) + String(repeating: "b", count: 600))
            var exchange = await kept.stream.first { _ in true }
            let second = try RawPeer(port: server.listeningPort)
            try second.send(Self.put(600))
            let refusal = try second.readToEnd()
            #expect(refusal.hasPrefix("HTTP/1.1 503") && refusal.contains("Retry-After: 1"))
            exchange?.answer(.text(200, "done"))
            exchange = nil
            _ = try first.readResponse()
            handler.onRequest = { request, exchange in exchange.answer(.text(200, "\(request.body.count)")) }
            let third = try RawPeer(port: server.listeningPort)
            try third.send(Self.put(600) + String(repeating: "b", count: 600))
            #expect(try third.readResponse().body == "600\n")
        }
    }

    @Test func whoLeavesAmidABodyGivesItsPlaceBack() {
        let budget = BodyBudget(10)
        var lease = budget.lease(10)
        #expect(lease != nil && budget.lease(1) == nil)
        lease = nil
        #expect(budget.lease(10) != nil)
    }
}
