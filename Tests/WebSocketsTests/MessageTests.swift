import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct MessageTests {
    @Test func fragmentsBecomeOneMessage() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: 1, Array("hel".utf8), isFinal: false)
            try peer.sendFrame(opcode: 9, Array("between".utf8))
            try peer.sendFrame(opcode: 0, Array("lo".utf8))
            #expect(try await handler.next() == .text("hello"))
            #expect(try peer.readFrame() == .init(opcode: 10, payload: Array("between".utf8)))
        }
    }

    @Test(arguments: [0, 1, 125, 126, 255, 256, 257, 1000, 16_384])
    func aMessageOfAnyLengthUpToTheLimitArrivesWhole(_ length: Int) async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try peer.sendFrame(opcode: 2, bytes)
            #expect(try await handler.next() == .binary(bytes))
        }
    }

    @Test func manyMessagesInOneSegmentArriveInOrder() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            let texts = (0..<50).map { "message \($0) " + String(repeating: "x", count: $0 * 11) }
            try peer.send(texts.flatMap { RawPeer.frame(opcode: 1, Array($0.utf8)) })
            for text in texts { #expect(try await handler.next() == .text(text)) }
        }
    }

    @Test func overTheLimitIsToldOnceAndTheSocketStays() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: 1, [UInt8](repeating: 0x61, count: 16_385))
            try peer.sendText("small")
            #expect(try await handler.next() == .tooLarge)
            #expect(try await handler.next() == .text("small"))
        }
    }

    @Test func farOverTheLimitIsClosedWith1009() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: 1, [UInt8](repeating: 0x61, count: 65_537))
            #expect(try await handler.next() == .tooLarge)
            #expect(try peer.readFrame().code == 1009)
        }
    }

    @Test func invalidUTF8IsClosedWith1007() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: 1, [0x68, 0xC3, 0x28])
            #expect(try peer.readFrame().code == 1007)
        }
    }

    @Test(arguments: [0, 1, 125, 126, 2000], [1, 2, 8, 9, 10] as [UInt8])
    func anUnmaskedFrameIsClosedWith1002(_ length: Int, _ opcode: UInt8) async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: opcode, [UInt8](repeating: 0x61, count: length), isMasked: false)
            #expect(try peer.readFrame().code == 1002)
            #expect(try peer.read().isEmpty)
        }
    }

    @Test func aPingWithRSV1IsClosedWith1002() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands("Sec-WebSocket-Extensions: permessage-deflate\r\n")
            _ = try await handler.next()
            try peer.sendFrame(opcode: 0x49, [])
            #expect(try peer.readFrame().code == 1002)
        }
    }

    @Test(arguments: [RawPeer.frame(opcode: 8, [0x03, 0xE8]), RawPeer.frame(opcode: 3, [])])
    func whatWasToBeSaidIsSaidBeforeTheEnd(_ end: [UInt8]) async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in socket.whenWritable() }
        handler.onWritable = { $0.sendNow(SharedFrame(text: Array("said".utf8))) }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.send(RawPeer.frame(opcode: 1, Array("ask".utf8)) + end)
            #expect(try peer.readFrame() == .init(opcode: 1, payload: Array("said".utf8)))
            #expect(try peer.readFrame().opcode == 8)
        }
    }

    @Test func tenPingsInOnePieceGetTenPongs() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.send((0..<10).flatMap { RawPeer.frame(opcode: 9, Array("payload-\($0)".utf8)) })
            for number in 0..<10 {
                #expect(try peer.readFrame() == .init(opcode: 10, payload: Array("payload-\(number)".utf8)))
            }
        }
    }

    @Test func whoPingsAndDoesNotReadIsHeldUp() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
            try peer.shakeHands()
            _ = try await handler.next()
            let pings = (0..<1000).flatMap { _ in RawPeer.frame(opcode: 9, [UInt8](repeating: 0x61, count: 125)) }
            var sent = 0
            // What the system queues, here and there, and then no more.
            while sent < 200_000_000, case let count = peer.sendAtOnce(pings), count > 0 || peer.canSendSoon() {
                sent += count
            }
            #expect(sent < 50_000_000, "\(sent)")
        }
    }

    @Test func afterOurCloseFrameThePeersIsWaitedForThenTheStreamEnds() async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in socket.close(4003, "go") }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            try peer.sendText("go")
            #expect(try peer.readFrame().code == 4003)
            // No more messages, nor pongs.
            try peer.sendText("late")
            try peer.sendFrame(opcode: 9, [])
            try peer.sendFrame(opcode: 8, [0x0F, 0xA3])
            #expect(try peer.read().isEmpty)
            _ = try await (handler.next(), handler.next())
            #expect(try await handler.next() == .closed(CloseStatus(code: 4003, reason: "go", wasClean: true)))
        }
    }

    @Test func aCloseFrameIsAnsweredAndTold() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            try peer.sendFrame(opcode: 8, [0x0F, 0xA0] + Array("bye".utf8))
            #expect(try peer.readFrame().code == 4000)
            #expect(try await handler.next() == .closed(CloseStatus(code: 4000, reason: "bye", wasClean: true)))
        }
    }

    @Test func aLostConnectionIsToldAs1006() async throws {
        try await withServer { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            _ = try await handler.next()
            peer.hangUp()
            #expect(try await handler.next() == .closed(CloseStatus(code: 1006, wasClean: false)))
        }
    }

    @Test func closingCarriesCodeAndReason() async throws {
        let handler = RecordingHandler()
        handler.onText = { _, socket in socket.close(4003, String(repeating: "é", count: 100)) }
        try await withServer(handler) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            try peer.sendText("go")
            let frame = try peer.readFrame()
            #expect(frame.code == 4003)
            // 123 bytes at most, and no half letter.
            #expect(String(decoding: frame.payload.dropFirst(2), as: UTF8.self) == String(repeating: "é", count: 61))
            try peer.sendFrame(opcode: 8, Array(frame.payload.prefix(2)))
            _ = try await (handler.next(), handler.next())
            guard case .closed(let closing) = try await handler.next() else {
                Issue.record("no end")
                return
            }
            #expect(closing.code == 4003 && closing.wasClean && !closing.isFromPeer)
        }
    }
}
