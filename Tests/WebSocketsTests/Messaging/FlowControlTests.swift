import Testing
import WebSockets

/// Neither side of a socket can have the other keep more than its bounds.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct FlowControlTests {
    private static let chunk = [UInt8](repeating: 0x61, count: 10_000)

    /// The loop's own `sendNow` traps where the peer takes nothing; tasks can't reach it.
    @Test func onlyThePackageCanSendWhileBlocked() async {
        await #expect(processExitsWith: .failure) {
            let handler = RecordingHandler()
            handler.onText = { _, socket in for _ in 0..<10_000 { socket.sendNow(SharedFrame(binary: Self.chunk)) } }
            try await withServer(handler) { server, handler in
                let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
                try peer.shakeHands()
                try peer.sendText("go")
                while true { _ = try await handler.next() }
            }
        }
    }

    @Test func aPeerThatDoesNotReadSuspendsItsSenderAndGetsEverythingLater() async throws {
        let counts = Results<Int>()
        let total = 2000
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses) = (100_000, false) },
            serve: { socket in
                for number in 0..<total {
                    try await socket.send([UInt8(truncatingIfNeeded: number)] + Self.chunk)
                    counts.add(number)
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port, receiveBuffer: 4096)
            try peer.shakeHands()
            // Two frames are read: so the sender runs; it can't come near the end.
            for number in 0..<2 { #expect(try peer.readFrame().payload.first == UInt8(number)) }
            var sent = 0
            while sent < 10 { sent = try await counts.next() }
            for number in 2..<total {
                #expect(try peer.readFrame().payload.first == UInt8(truncatingIfNeeded: number))
            }
            #expect(try peer.readFrame().code == 1000)
        }
    }

    @Test func aSenderIsHeldUpWithinItsLimit() async throws {
        let waits = Results<Int>()
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses, $0.stallLimit) = (100_000, false, .milliseconds(300)) },
            serve: { socket in
                var bytes = 0
                do {
                    while true {
                        try await socket.send(Self.chunk)
                        bytes += Self.chunk.count
                    }
                } catch {
                    #expect(error as? SocketError == .closed)
                    #expect(socket.closeStatus == CloseStatus(code: 4101, reason: "too slow", wasClean: false))
                    waits.add(bytes)
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port, receiveBuffer: 4096)
            try peer.shakeHands()
            // What the systems queue, and the limit.
            #expect(try await waits.next() < 4_000_000)
        }
    }

    @Test func aSenderThatIsCancelledWhileItWaitsThrowsAndItsMessageIsNotSent() async throws {
        let results = Results<Bool>()
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses) = (100_000, false) },
            serve: { socket in
                let sending = Task {
                    while true { try await socket.send(Self.chunk) }
                }
                for await _ in socket {
                    sending.cancel()
                    let result = await sending.result
                    results.add({ if case .failure(is CancellationError) = result { true } else { false } }())
                    try await socket.send("end")
                    break
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port, receiveBuffer: 4096)
            try peer.shakeHands()
            // Enough of them that the sender waits by now.
            try peer.sendText("stop")
            var frame = try peer.readFrame()
            while frame.opcode == 2 { frame = try peer.readFrame() }
            #expect(frame == .init(opcode: 1, payload: Array("end".utf8)))
            #expect(try peer.readFrame().code == 1000)
            #expect(try await results.next())
        }
    }

    @Test func whoDoesNotTakeMessagesHoldsThePeerUpAndLosesNone() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let taken = Results<Int>()
        try await withSocketServer(serve: { socket in
            for await _ in gate {}
            var next = 0
            for await message in socket {
                guard case .binary(let bytes) = message, bytes.first == UInt8(truncatingIfNeeded: next) else { break }
                next += 1
            }
            taken.add(next)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            var rest: ArraySlice<UInt8> = []
            var sent = 0
            // Until neither system takes more.
            repeat {
                if rest.isEmpty {
                    rest = RawPeer.frame(opcode: 2, [UInt8(truncatingIfNeeded: sent)] + Self.chunk)[...]
                    sent += 1
                }
                rest = rest.dropFirst(peer.sendAtOnce(Array(rest)))
            } while rest.isEmpty || peer.canSendSoon()
            #expect(sent < 2000, "so many messages of 10 KB were read or queued, with nobody to take them")
            opening.finish()
            try peer.send(Array(rest))
            try peer.sendFrame(opcode: 8, [3, 232])
            #expect(try await taken.next() == sent)
        }
    }

    @Test func aMessageLargerThanTheQueueIsSentAlone() async throws {
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses) = (10, false) },
            serve: { socket in for _ in 0..<3 { try await socket.send(Self.chunk) } }
        ) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            for _ in 0..<3 { #expect(try peer.readFrame().payload.count == Self.chunk.count) }
            #expect(try peer.readFrame().code == 1000)
        }
    }
}
