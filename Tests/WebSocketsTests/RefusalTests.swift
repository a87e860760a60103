import Testing
import WebSockets

/// What must not get in, and the word it gets.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct RefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var request: String
        var status: Int
        var says: String

        init(_ name: String, _ status: Int, says: String, _ request: String) {
            testDescription = name
            self.request = request
            self.status = status
            self.says = says
        }
    }

    private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    private static let version = "Sec-WebSocket-Version: 13\r\n"
    private static let upgrade = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: "

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func get(_ target: String, _ headers: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
    }

    static let cases = [
        Case(
            "a handshake with a body", 400, says: "no body",
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Content-Length: 5\r\n\(key)\(version)\r\nhello"),
        Case(
            "a handshake in chunks", 400, says: "no body",
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Transfer-Encoding: chunked\r\n\(key)\(version)\r\n0\r\n\r\n"),
        Case("an old version", 426, says: "13", upgrade + "websocket\r\n\(key)Sec-WebSocket-Version: 8\r\n\r\n"),
        Case("no version", 426, says: "13", upgrade + "websocket\r\n\(key)\r\n"),
        Case("a short key", 400, says: "Key", upgrade + "websocket\r\n\(version)Sec-WebSocket-Key: c2hvcnQ=\r\n\r\n"),
        Case("no key", 400, says: "Key", upgrade + "websocket\r\n\(version)\r\n"),
        Case(
            "no Connection: Upgrade", 400, says: "Connection",
            "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\(key)\(version)\r\n"),
        Case(
            "a POST", 400, says: "GET",
            "POST /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Content-Length: 0\r\n\(key)\(version)\r\n"),
        Case(
            "unknown subprotocols", 400, says: "refreshable.v1", RawPeer.handshake("Sec-WebSocket-Protocol: a, b\r\n")),
        Case(
            "subprotocols that are none", 400, says: "refreshable.v1",
            RawPeer.handshake("Sec-WebSocket-Protocol: refreshable.v1, a b\r\n")),
        Case("a foreign origin", 403, says: "--allow-origin", RawPeer.handshake("Origin: https://evil.example\r\n")),
        Case("the null origin", 403, says: "--allow-origin", RawPeer.handshake("Origin: null\r\n")),
        Case(
            "an origin on another port", 403, says: "--allow-origin",
            RawPeer.handshake("Origin: http://localhost:1\r\n")),
        Case("a foreign host", 403, says: "--allow-host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        Case(
            "a foreign host with a port", 403, says: "--allow-host", "GET / HTTP/1.1\r\nHost: evil.example:80\r\n\r\n"),
        Case(
            "a foreign host for a socket", 403, says: "--allow-host",
            RawPeer.handshake().replacing("Host: localhost", with: "Host: evil.example")),
        Case("no host", 400, says: "Host", "GET / HTTP/1.1\r\n\r\n"),
        Case("two hosts", 400, says: "Host", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"),
        Case("a host that is none", 400, says: "Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Case(
            "a foreign origin that changes something", 403, says: "--allow-origin",
            "POST /x HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n"),
        Case(
            "chunks", 411, says: "Transfer-Encoding",
            "POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case(
            "a negative length", 400, says: "Content-Length",
            "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n"),
        Case(
            "two lengths", 400, says: "Content-Length",
            "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
        Case("a path that is too long", 414, says: "4096", get("/" + long(4096))),
        Case("a path that is far too long", 414, says: "4096", get("/" + long(100_000))),
        Case("a query that is too long", 414, says: "4096", get("/?a=" + long(4096))),
        Case("a query that is far too long", 414, says: "4096", get("/?a=" + long(100_000))),
        Case("a header that is too long", 431, says: "8192", get("/", "Cookie: \(long(8192))\r\n")),
        Case("a header that is far too long", 431, says: "8192", get("/", "Cookie: \(long(100_000))\r\n")),
        Case(
            "headers that are too long together", 431, says: "8192",
            get("/", (0..<9).map { _ in "Accept-Language: \(long(1000))\r\n" }.joined())),
        Case("40 KiB of headers", 431, says: "8192", get("/", (0..<40).map { "X-\($0): \(long(1024))\r\n" }.joined())),
        Case("more headers than there may be", 431, says: "100", get("/", (0..<101).map { "X-\($0): a\r\n" }.joined())),
        Case("a handshake that is too long", 431, says: "8192", RawPeer.handshake("Cookie: \(long(8192))\r\n")),
        Case("a zero in the path", 400, says: "address", get("/%00")),
        Case("a zero further on in the path", 400, says: "address", get("/%00/x")),
        Case("a line break in the path", 400, says: "address", get("/x%0D%0AX:%20y")),
        Case(
            "too large a body", 413, says: "1048576",
            "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n"),
        Case("an unknown method", 501, says: "BREW", "BREW /pot HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Case("CONNECT", 501, says: "CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Case("TRACE", 501, says: "TRACE", "TRACE / HTTP/1.1\r\n\r\n"),
        Case("HTTP/2 with prior knowledge", 505, says: "HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("TLS", 400, says: "plain HTTP", "\u{16}\u{3}\u{1}\r\n\r\n"),
    ]

    @Test(arguments: cases) func itGetsAStatusAndAHint(_ example: Case) async throws {
        try await withServer(configure: {
            $0.originHint = "Allow it with --allow-origin."
            $0.hostHint = "Allow it with --allow-host."
        }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(example.request)
            let response = try peer.readToEnd()
            #expect(response.hasPrefix("HTTP/1.1 \(example.status) "), "\(response)")
            #expect(response.contains(example.says), "\(response)")
            #expect(response.contains("Connection: close"))
        }
    }

    @Test func aQueryMayHaveManyParts() async throws {
        let handler = RecordingHandler()
        handler.onRequest = { request, exchange in exchange.answer(.text(200, request.query)) }
        try await withServer(handler) { server, _ in
            let query = (0..<200).map { "part\($0)=\($0)" }.joined(separator: "&")
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send(Self.get("/?" + query))
            #expect(try peer.readResponse().body == query + "\n")
        }
    }

    @Test(arguments: [
        "", "Origin: http://localhost\r\n", "Origin: https://friend.example\r\n",
        "Sec-WebSocket-Protocol: refreshable.v1\r\n",
        "Sec-WebSocket-Protocol: other, refreshable.v1\r\n",
        "Sec-WebSocket-Protocol: \(long(200)), refreshable.v1\r\n",
    ])
    func theseGetIn(_ header: String) async throws {
        try await withServer(configure: { $0.allowedOrigins = ["https://friend.example"] }) { server, _ in
            let head = try RawPeer(port: server.listeningPort).shakeHands(header)
            #expect(head.contains("Sec-WebSocket-Protocol: refreshable.v1") == header.contains("refreshable.v1"))
        }
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST", "printer.local", "lists.example",
        "lists.example:8080",
    ])
    func theseHostsAreOurs(_ host: String) async throws {
        try await withServer(configure: { $0.allowedHosts = ["lists.example"] }) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try peer.readHead().hasPrefix("HTTP/1.1 200"))
        }
    }
}
