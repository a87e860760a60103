import Testing
import WebSockets

/// One request after another, and their answers.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct RequestTests {
    @Test func aBodyArrivesWhole() async throws {
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in exchange.answer(HTTPResponse(status: 200, body: request.body)) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let body = String(repeating: "0123456789", count: 10_000)
            try peer.send("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
            try peer.send(body)
            #expect(try peer.readResponse().body == body)
        }
    }

    @Test func aConnectionIsKeptForTheNextRequest() async throws {
        try await withServer { server, _ in
            var peer = try RawPeer(port: server.listeningPort)
            for number in 0..<20 {
                let body = String(repeating: "b", count: number)
                try peer.send("PUT /\(number) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(number)\r\n\r\n\(body)")
                let (head, answer) = try peer.readResponse()
                #expect(answer == "PUT /\(number) \(number)\n")
                if head.contains("Connection: close") { peer = try RawPeer(port: server.listeningPort) }
            }
        }
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func everyMethodArrives(_ method: String) async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(
                "\(method) /x?a=1&b=2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            let response = try peer.readToEnd()
            #expect(response.hasPrefix("HTTP/1.1 200"))
            #expect(response.hasSuffix(method == "HEAD" ? "\r\n\r\n" : "\(method) /x 0\n"))
        }
    }

    @Test func aRequestWithoutALengthHasNoBody() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            for _ in 0..<2 {
                try peer.send("POST /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try peer.readResponse().body == "POST /x 0\n")
            }
        }
    }

    static let pipelines = [
        "POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"
            + "POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\ncd",
        "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\ncd",
        "GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
            + "POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
    ]

    @Test(arguments: pipelines, [true, false])
    func whoDoesNotWaitGetsAnswersInOrder(_ requests: String, _ isLater: Bool) async throws {
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in
            let answer = HTTPResponse.text(200, "\(request.method) \(request.path) \(request.body.count)")
            if isLater { Task.detached { exchange.answer(answer) } } else { exchange.answer(answer) }
        }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(requests)
            #expect(try peer.readResponse().body.contains(" /1 "))
            #expect(try peer.readResponse().body.contains(" /2 "))
            try peer.send("GET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try peer.readResponse().body == "GET /3 0\n")
        }
    }

    @Test func aHandshakeAndAFrameMayStandBehindARequest() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(
                Array(("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n" + RawPeer.handshake()).utf8)
                    + RawPeer.frame(opcode: 1, Array("at once".utf8)))
            #expect(try peer.readResponse().body == "GET /1 0\n")
            #expect(try peer.readHead().contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            _ = try await handler.next()
            #expect(try await handler.next() == .text("at once"))
        }
    }

    @Test func whatStandsBehindTheLastRequestIsNotRead() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let last = "GET /1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            try peer.send(last + "GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let response = try peer.readToEnd()
            #expect(response.contains(" /1 ") && !response.contains(" /2 "), "\(response)")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", true),
    ])
    func aConnectionIsKeptAsTheRequestSays(_ request: String, _ isKept: Bool) async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(request)
            let head = try peer.readResponse().head
            #expect(head.contains("Connection: close") != isKept)
            if request.contains("1.0") { #expect(head.contains("Connection: keep-alive") == isKept) }
            try peer.send("GET /again HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect((try? peer.readToEnd().contains("/again")) ?? false == isKept)
        }
    }

    @Test(arguments: ["h2c", "TLS/1.0", "h2c, x/1"]) func anUpgradeThatIsNotSpokenIsAnOfferThatGoesUnheard(
        _ name: String
    ) async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\nHTTP2-Settings: AAMAAABkAAQAAP__"
            for _ in 0..<2 {
                try peer.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\(upgrade)\r\n\r\n")
                #expect(try peer.readResponse().body == "GET /x 0\n")
            }
        }
    }

    @Test(arguments: [
        "HEAD /x%zz HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HEAD /\(String(repeating: "a", count: 5000)) HTTP/1.1\r\n\r\n", "HEAD /\u{1} HTTP/1.1\r\n\r\n",
        "HEAD / HTTP/3.0\r\n\r\n", "HEAD /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
    ])
    func whatIsRefusedAtTheHeadHasNoBodyInTheAnswerToHEAD(_ request: String) async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(request)
            let answer = try peer.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    @Test func whoWaitsWithABodyIsToldToGoOn() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(try peer.readHead() == "HTTP/1.1 100 Continue")
            try peer.send("abc")
            #expect(try peer.readResponse().body == "PUT /x 3\n")
        }
    }

    @Test func whoWaitsWithABodyThatIsTooLargeHearsThatAtOnce() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
            #expect(try peer.readToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func aRefusalArrivesThoughTheBodyIsStillBeingSent() async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let body = [UInt8](repeating: 0x61, count: 4_000_000)
            try peer.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n")
            try peer.send(body)
            #expect(try peer.readToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func anAnswerMayComeLaterAndFromElsewhere() async throws {
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in
            Task.detached { exchange.answer(.text(200, "later \(request.path)")) }
        }
        try await withServer(handler) { server, _ in
            var peer = try RawPeer(port: server.listeningPort)
            for number in 0..<20 {
                try peer.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let (head, body) = try peer.readResponse()
                #expect(body == "later /\(number)\n")
                // A server may end a connection after any answer, as long as it says so.
                if head.contains("Connection: close") { peer = try RawPeer(port: server.listeningPort) }
            }
        }
    }

    @Test func anAnswerToAConnectionThatIsGoneIsDropped() async throws {
        let handler = RecordingHandler()
        let kept = AsyncStream<HTTPExchange>.makeStream()
        handler.onRequest = { _, exchange in kept.continuation.yield(exchange) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let exchange = await kept.stream.first { _ in true }
            peer.hangUp()
            exchange?.answer(.text(200, "too late"))
            handler.onRequest = { _, exchange in exchange.answer(.text(200, "alive")) }
            let other = try RawPeer(port: server.listeningPort)
            try other.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try other.readResponse().body == "alive\n")
        }
    }

    @Test func anExchangeDroppedUnansweredIsA500() async throws {
        let handler = RecordingHandler()
        handler.onRequest = { _, _ in }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try peer.readResponse().head.hasPrefix("HTTP/1.1 500"))
        }
    }

    @Test func aLargeAnswerArrivesWhole() async throws {
        let handler = RecordingHandler()
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        handler.onRequest = { _, exchange in exchange.answer(HTTPResponse(status: 200, body: body)) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 8192)
            for _ in 0..<2 {
                try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let head = try peer.readHead()
                #expect(head.contains("Content-Length: 3000000"))
                #expect(try peer.read(exactly: body.count) == body)
            }
        }
    }

    @Test func aHeaderCannotBeSplitByItsValue() async throws {
        let handler = RecordingHandler()
        handler.onRequest = { _, exchange in
            exchange.answer(HTTPResponse(status: 200, headers: ["X-Bad": "a\r\nSet-Cookie: b", "X-Good": "c"]))
        }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let head = try peer.readHead()
            #expect(!head.contains("Set-Cookie") && head.contains("X-Good: c"))
        }
    }

    @Test func allowedSitesMayReadAndAsk() async throws {
        try await withServer(configure: { $0.allowedOrigins = ["https://friend.example"] }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://friend.example\r\n\r\n")
            #expect(try peer.readResponse().head.contains("Access-Control-Allow-Origin: https://friend.example\r\n"))
            try peer.send(
                "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://friend.example\r\n"
                    + "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: content-type\r\n\r\n")
            let head = try peer.readHead()
            #expect(head.hasPrefix("HTTP/1.1 204") && head.contains("Access-Control-Allow-Headers: content-type"))
            try peer.send("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://other.example\r\n\r\n")
            #expect(!(try peer.readResponse().head.contains("Access-Control-Allow-Origin")))
        }
    }
}
