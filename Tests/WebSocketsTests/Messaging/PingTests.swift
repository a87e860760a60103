import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct PingTests {
    @Test func aPingReturnsWhenItsPongHasCome() async throws {
        let trips = Results<Duration>()
        try await withSocketServer(serve: { socket in trips.add(try await socket.ping()) }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            let ping = try peer.readFrame()
            #expect(ping.opcode == 9)
            // Neither of these answers it.
            try peer.sendFrame(opcode: 10, [])
            try peer.sendFrame(opcode: 10, ping.payload.reversed())
            try peer.sendFrame(opcode: 10, ping.payload)
            #expect(try await trips.next() > .zero)
        }
    }

    @Test func onePongAnswersTheEarlierPingsToo() async throws {
        let trips = Results<Int>()
        try await withSocketServer(serve: { socket in
            await withTaskGroup { group in
                for number in 0..<3 {
                    group.addTask {
                        await #expect(throws: Never.self) { try await socket.ping() }
                        trips.add(number)
                    }
                }
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            let pings = try (0..<3).map { _ in try peer.readFrame().payload }
            try peer.sendFrame(opcode: 10, pings[2])
            for _ in 0..<3 { _ = try await trips.next() }
        }
    }

    @Test func aPingThatIsCancelledThrowsAndTheSocketStaysOpen() async throws {
        let results = Results<Bool>()
        try await withSocketServer(serve: { socket in
            let ping = Task { try await socket.ping() }
            for await _ in socket {
                ping.cancel()
                let result = await ping.result
                results.add({ if case .failure(is CancellationError) = result { true } else { false } }())
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            _ = try peer.readFrame()
            try peer.sendText("cancel")
            #expect(try await results.next())
        }
    }

    @Test func aPingToAPeerThatLeavesThrows() async throws {
        let results = Results<Bool>()
        try await withSocketServer(serve: { socket in
            await #expect(throws: SocketError.closed) { try await socket.ping() }
            results.add(true)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            _ = try peer.readFrame()
            peer.hangUp()
            #expect(try await results.next())
        }
    }
}
