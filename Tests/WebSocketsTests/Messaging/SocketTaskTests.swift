import HTTPTypes
import Testing
import WebSockets

/// The face that a program uses: one task for each socket.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct SocketTaskTests {
    private struct Fault: Error {}

    @Sendable private static func echo(_ socket: WebSocket) async throws {
        for await message in socket { try await socket.send(message) }
    }

    @Test func textAndBytesComeBackInOrder() async throws {
        try await withSocketServer(serve: Self.echo) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            for number in 0..<100 { try peer.sendFrame(opcode: number % 2 == 0 ? 1 : 2, Array("\(number)".utf8)) }
            for number in 0..<100 {
                let frame = try peer.readFrame()
                #expect(frame == .init(opcode: number % 2 == 0 ? 1 : 2, payload: Array("\(number)".utf8)))
            }
        }
    }

    @Test func aTaskThatReturnsClosesWith1000AfterWhatItSent() async throws {
        try await withSocketServer(serve: { socket in for number in 0..<3 { try await socket.send("\(number)") } }) {
            _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            for number in 0..<3 { #expect(try peer.readFrame().payload == Array("\(number)".utf8)) }
            #expect(try peer.readFrame().code == 1000)
        }
    }

    @Test func aTaskThatThrowsClosesWith1011() async throws {
        try await withSocketServer(serve: { _ in throw Fault() }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            #expect(try peer.readFrame().code == 1011)
        }
    }

    @Test func cancellingTheServerClosesWith1001AndRunReturnsWhenTasksHaveEnded() async throws {
        let ends = Results<CloseStatus?>()
        let peers = Results<RawPeer>()
        try await withSocketServer(serve: { socket in
            for await _ in socket {}
            ends.add(socket.closeStatus)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            peers.add(peer)
            try peer.sendText("here")
            spawnThread {
                guard let frame = try? peer.readFrame() else { return }
                try? peer.sendFrame(opcode: 8, frame.payload)
            }
        }
        // `run` has returned.
        let status = try await ends.next()
        #expect(status == CloseStatus(code: 1001, wasClean: true))
        _ = try await peers.next()
    }

    @Test func aTaskThatOutlivesTheGracePeriodIsCancelled() async throws {
        let ends = Results<Bool>()
        try await withSocketServer(
            configure: { $0.gracePeriod = .milliseconds(50) },
            serve: { _ in
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                for await _ in stream {}
                ends.add(Task.isCancelled)
                continuation.finish()
            }
        ) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
        }
        #expect(try await ends.next())
    }

    @Test func aTakenPortIsThrownByRunAndByPort() async throws {
        try await withSocketServer(serve: Self.echo) { _, port in
            let other = WebSocketServer(port: port, serve: Self.echo)
            let waiting = Task { try await other.port }
            await #expect(throws: SocketError.self) { try await other.run() }
            await #expect(throws: SocketError.self) { _ = try await waiting.value }
        }
    }

    @Test func aSecondRunIsAnErrorAndTheFirstGoesOn() async throws {
        try await withSocketServer(serve: Self.echo) { server, port in
            await #expect(throws: SocketError.self) { try await server.run() }
            let portNow = try await server.port
            #expect(portNow == port)
        }
    }

    @Test func settingsThatContradictEachOtherAreAnErrorOfRun() async throws {
        var configuration = WebSocketServer.Configuration()
        configuration.pongTimeout = configuration.heartbeat
        let server = WebSocketServer(configuration: configuration, serve: Self.echo)
        await #expect(throws: SocketError.self) { try await server.run() }
    }

    @Test(arguments: [-1, 65_536, Int.max]) func aPortThatIsNoneIsAnErrorOfRun(port: Int) async throws {
        let server = WebSocketServer(port: port, serve: Self.echo)
        await #expect(throws: SocketError.self) { try await server.run() }
    }

    @Test func askingForThePortCanBeCancelled() async throws {
        let server = WebSocketServer(port: 0, serve: Self.echo)
        let asking = Task { try await server.port }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test func theRequestIsThereAsLongAsTheSocket() async throws {
        let requests = Results<ServerRequest>()
        try await withSocketServer(serve: { socket in
            for await _ in socket { requests.add(socket.request) }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send(RawPeer.handshake("X-Name: Ada\r\n", path: "/rooms/caf%C3%A9?since=4&q=a+b%26c"))
            _ = try peer.readHead()
            try peer.sendText("go")
            let request = try await requests.next()
            #expect(request.path == "/rooms/café")
            #expect(request.queryValue("since") == "4" && request.queryValue("q") == "a b&c")
            #expect(request.queryValue("none") == nil)
            #expect(request.head.headerFields[.init("X-Name")!] == "Ada")
            #expect(request.remoteAddress == "127.0.0.1")
        }
    }

    @Test func anUpgradeIsRefusedWithAnAnswerOrAccepted() async throws {
        try await withSocketServer(
            upgrade: { request in
                await Task.yield()
                guard request.path == "/ws" else { return .text("No socket here.", .notFound) }
                return request.head.headerFields[.authorization] == "Bearer 1" ? nil : .text("Who?", .unauthorized)
            }, serve: Self.echo
        ) { _, port in
            for (path, field, status) in [
                ("/x", "", 404), ("/ws", "", 401), ("/ws", "Authorization: Bearer 1\r\n", 101),
            ] {
                let peer = try RawPeer(port: port)
                try peer.send(RawPeer.handshake(field, path: path))
                #expect(try peer.readHead().hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test func framesThatComeWithTheHandshakeWaitForTheUpgrade() async throws {
        try await withSocketServer(
            upgrade: { _ in
                for _ in 0..<100 { await Task.yield() }
                return nil
            }, serve: Self.echo
        ) { _, port in
            let peer = try RawPeer(port: port)
            try peer.send(Array(RawPeer.handshake().utf8) + RawPeer.frame(opcode: 1, [0x61]))
            _ = try peer.readHead()
            #expect(try peer.readFrame().payload == [0x61])
        }
    }

    @Test func aPeerThatLeavesDuringTheUpgradeHarmsNobody() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let arrivals = Results<Void>()
        try await withSocketServer(
            upgrade: { request in
                guard request.path == "/slow" else { return nil }
                arrivals.add(())
                for await _ in gate {}
                return nil
            }, serve: Self.echo
        ) { server, port in
            let peer = try RawPeer(port: port)
            try peer.send(RawPeer.handshake(path: "/slow"))
            try await arrivals.next()
            peer.hangUp()
            try await eventually { server.connectionCount == 0 }
            opening.finish()
            let other = try RawPeer(port: port)
            try other.shakeHands()
            try other.sendText("a")
            #expect(try other.readFrame().payload == [0x61])
        }
    }

    @Test func aMessageThatIsTooLongClosesWith1009() async throws {
        try await withSocketServer(configure: { $0.messageLimit = 100 }, serve: Self.echo) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            try peer.sendFrame(opcode: 2, [UInt8](repeating: 0, count: 101))
            #expect(try peer.readFrame().code == 1009)
        }
    }
}
