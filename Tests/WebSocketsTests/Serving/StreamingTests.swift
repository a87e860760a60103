import HTTPTypes
import Testing
import WebSockets

/// Answers over a connection: whole, streamed, and of events.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct StreamingTests {
    private struct Fault: Error {}

    private func withRoutes(
        configure: (inout WebSocketServer.Configuration) -> Void = { _ in }, make: (inout HTTPRoutes) throws -> Void,
        body: (WebSocketServer, Int) async throws -> Void
    ) async throws {
        var routes = HTTPRoutes()
        try make(&routes)
        try await withSocketServer(
            configure: configure, routes: routes, serve: { socket in try await socket.send("socket") }, body)
    }

    @Test func requestsAndSocketsShareAPort() async throws {
        try await withRoutes(make: { routes in
            routes.get("/hello/:name") { request in .text("hello \(request.parameters["name"] ?? "")") }
            routes.post("/count", bodyLimit: 1000) { request in .text("\(request.body.count)") }
            routes.get("/fault") { _ in throw Fault() }
        }) { _, port in
            let client = HTTPClient()
            let url = "http://localhost:\(port)"
            let hello = try await client.get("\(url)/hello/Ada")
            #expect(hello.body == Array("hello Ada".utf8))
            let count = try await client.send(.post, "\(url)/count", body: [UInt8](repeating: 1, count: 1000))
            #expect(count.body == Array("1000".utf8))
            let large = try await client.send(.post, "\(url)/count", body: [UInt8](repeating: 1, count: 1001))
            #expect(large.head.status == .contentTooLarge)
            let fault = try await client.get("\(url)/fault")
            #expect(fault.head.status == .internalServerError)
            let head = try await client.send(.head, "\(url)/hello/Ada")
            #expect(head.head.headerFields[.contentLength] == "9" && head.body.isEmpty)
            try await WebSocketClient.connect(to: "ws://localhost:\(port)/") { socket in
                #expect(await socket.receive() == .text("socket"))
            }
        }
    }

    @Test func aStreamGoesOutInChunksAndTheConnectionIsKept() async throws {
        try await withRoutes(make: { routes in
            routes.get("/stream") { _ in
                .stream { writer in
                    for number in 0..<3 { try await writer.write("\(number) ") }
                    try await writer.write("")
                }
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            for _ in 0..<2 {
                try peer.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let head = try peer.readHead()
                #expect(head.contains("Transfer-Encoding: chunked") && !head.contains("Content-Length"))
                let chunks = "2\r\n0 \r\n2\r\n1 \r\n2\r\n2 \r\n0\r\n\r\n"
                #expect(try peer.read(exactly: chunks.utf8.count) == Array(chunks.utf8))
            }
        }
    }

    @Test func aPeerOfHTTP10GetsAStreamWithoutChunks() async throws {
        try await withRoutes(make: { routes in
            routes.get("/stream") { _ in .stream { writer in try await writer.write("whole") } }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send("GET /stream HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
            #expect(!(try peer.readHead()).contains("chunked"))
            #expect(try peer.readToEnd() == "whole")
        }
    }

    @Test func aHeadOfAStreamHasNoBodyAndDoesNotRunIt() async throws {
        let runs = Results<Void>()
        try await withRoutes(make: { routes in
            routes.get("/stream") { _ in .stream { _ in runs.add(()) } }
            routes.get("/next") { _ in .text("next") }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try peer.readHead()
            try peer.send("GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try peer.readResponse().body == "next")
            runs.add(())
            try await runs.next()
        }
    }

    @Test func aLargeStreamArrivesWholeHoweverSlowlyItIsRead() async throws {
        try await withRoutes(make: { routes in
            routes.get("/stream") { _ in
                .stream(
                    of: AsyncStream { continuation in
                        for number in 0..<500 {
                            continuation.yield([UInt8](repeating: UInt8(number & 255), count: 20_000))
                        }
                        continuation.finish()
                    })
            }
        }) { _, port in
            let (head, body) = try await HTTPClient().get("http://localhost:\(port)/stream")
            #expect(head.status == .ok && body.count == 10_000_000)
            #expect((0..<500).allSatisfy { body[$0 * 20_000 + 19_999] == UInt8($0 & 255) })
        }
    }

    @Test func aPeerThatReadsNothingHoldsTheWriterUp() async throws {
        let written = Results<Int>()
        try await withRoutes(
            configure: { $0.requestLimit = .milliseconds(300) },
            make: { routes in
                routes.get("/stream") { _ in
                    .stream { writer in
                        var bytes = 0
                        defer { written.add(bytes) }
                        while true {
                            try await writer.write([UInt8](repeating: 1, count: 10_000))
                            bytes += 10_000
                        }
                    }
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port, receiveBuffer: 4096)
            try peer.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            // It takes nothing for `requestLimit`, and is cut.
            #expect(try await written.next() < 4_000_000)
        }
    }

    @Test func whoeverLeavesCancelsTheStream() async throws {
        let ends = Results<Bool>()
        try await withRoutes(
            configure: { $0.absenceCheck = .milliseconds(10) },
            make: { routes in
                routes.get("/events") { _ in
                    .events { events in
                        try await events.send("first")
                        await untilCancelled()
                        ends.add(Task.isCancelled)
                    }
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try peer.readHead().contains("text/event-stream"))
            let chunk = "d\r\ndata: first\n\n\r\n"
            #expect(try peer.read(exactly: chunk.utf8.count) == Array(chunk.utf8))
            peer.hangUp()
            #expect(try await ends.next())
        }
    }

    @Test func aServerThatEndsEndsStreamsInOrder() async throws {
        let peers = Results<RawPeer>()
        try await withRoutes(make: { routes in
            routes.get("/events") { _ in
                .events { events in
                    try await events.send("first")
                    await untilCancelled()
                }
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try peer.readHead()
            _ = try peer.read(exactly: 5)
            peers.add(peer)
        }
        #expect(try await peers.next().readToEnd().hasSuffix("0\r\n\r\n"))
    }

    @Test func anEventStreamIsKeptAliveByComments() async throws {
        try await withRoutes(make: { routes in
            routes.get("/events") { _ in
                .events(keepAlive: .milliseconds(5)) { _ in
                    await untilCancelled()
                }
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try peer.readHead()
            for _ in 0..<3 { #expect(try peer.read(exactly: 8) == Array("3\r\n:\n\n\r\n".utf8)) }
        }
    }

    @Test func aStreamThatFailsIsCutSoThatItsReaderKnows() async throws {
        try await withRoutes(make: { routes in
            routes.get("/stream") { _ in
                .stream { writer in
                    try await writer.write("half")
                    throw Fault()
                }
            }
        }) { _, port in
            await #expect(throws: SocketError.self) { try await HTTPClient().get("http://localhost:\(port)/stream") }
        }
    }
}

/// Waits until the task is cancelled.
private func untilCancelled() async {
    let (never, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    continuation.finish()
}
