import Testing

@testable import WebSockets

/// `permessage-deflate` on the wire.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct CompressionTests {
    private static let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    /// The bit of an opcode's byte that says that the message is compressed.
    private static let mark: UInt8 = 0x40

    private static func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
        try #require(bytes.withUnsafeBytes { Deflater().deflated($0) })
    }

    /// A peer whose offer was taken.
    private func withPeer(
        _ handler: RecordingHandler = RecordingHandler(),
        configure: (inout WebSocketServer.Configuration) -> Void = { _ in },
        _ body: (RawPeer, RecordingHandler) async throws -> Void
    ) async throws {
        try await withServer(handler, configure: configure) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            let head = try peer.shakeHands(Self.offer)
            #expect(
                head.contains(
                    "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                        + "client_no_context_takeover"))
            _ = try await handler.next()
            try await body(peer, handler)
        }
    }

    // MARK: The handshake

    @Test(arguments: [
        ("permessage-deflate; server_max_window_bits=15", "; server_max_window_bits=15"),
        ("permessage-deflate; server_max_window_bits=9, permessage-deflate", "client_no_context_takeover"),
        ("permessage-deflate, permessage-deflate; client_max_window_bits", "client_no_context_takeover"),
        ("other; a=b, permessage-deflate\r\nSec-WebSocket-Extensions: third", "client_no_context_takeover"),
        ("other\r\nSec-WebSocket-Extensions: permessage-deflate", "client_no_context_takeover"),
    ])
    func anOfferThatWeCanKeepIsAnswered(_ offer: String, _ end: String) async throws {
        try await withServer { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let head = try peer.shakeHands("Sec-WebSocket-Extensions: \(offer)\r\n")
            let answers = head.split(separator: "\r\n").filter { $0.hasPrefix("Sec-WebSocket-Extensions: ") }
            #expect(answers.count == 1)
            #expect(answers.first?.hasPrefix("Sec-WebSocket-Extensions: permessage-deflate; ") == true, "\(head)")
            #expect(answers.first?.hasSuffix(end) == true, "\(head)")
        }
    }

    @Test(arguments: [
        "permessage-deflate; server_max_window_bits=10", "permessage-deflate; unknown", "other",
    ])
    func withoutAnOfferThatWeCanKeepNothingIsCompressed(_ offer: String) async throws {
        let handler = RecordingHandler()
        handler.onOpened = { $0.sendNow(SharedFrame(text: [UInt8](repeating: 0x61, count: 2000))) }
        try await withServer(handler) { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            let head = try peer.shakeHands("Sec-WebSocket-Extensions: \(offer)\r\n")
            #expect(!head.contains("Extensions"))
            #expect(try peer.readFrame().payload.count == 2000)
            try peer.sendFrame(opcode: 1 | Self.mark, Self.hello)
            #expect(try peer.readFrame().code == 1002)
        }
    }

    @Test func itCanBeTurnedOff() async throws {
        try await withServer(configure: { $0.compresses = false }) { server, handler in
            let peer = try RawPeer(port: server.listeningPort)
            #expect(!(try peer.shakeHands(Self.offer)).contains("Extensions"))
            _ = try await handler.next()
            try peer.sendText("plain")
            #expect(try await handler.next() == .text("plain"))
        }
    }

    @Test(arguments: [254, 255, 2000]) func anOfferBehindALongOneIsSeen(_ length: Int) async throws {
        try await withServer { server, _ in
            let long = "x-\(String(repeating: "a", count: length))"
            let head = try RawPeer(port: server.listeningPort).shakeHands(
                "Sec-WebSocket-Extensions: \(long), permessage-deflate\r\n")
            #expect(head.contains("permessage-deflate"))
        }
    }

    // MARK: What the server sends

    @Test func largeFramesAreSharedCompressedAndSmallOnesPlain() async throws {
        let large = SharedFrame(text: Array(String(repeating: "rows, and more rows. ", count: 1000).utf8))
        let small = SharedFrame(text: Array("small".utf8))
        let handler = RecordingHandler()
        handler.onOpened = { socket in
            #expect(socket.isCompressing == (socket.handshake.headers["Sec-WebSocket-Extensions"] != nil))
            socket.sendNow(large)
            socket.sendNow(small)
        }
        try await withServer(handler, loops: 2) { server, _ in
            let peers = try (0..<4).map { number in
                let peer = try RawPeer(port: server.listeningPort)
                try peer.shakeHands(number == 1 ? "" : Self.offer)
                return peer
            }
            let frames = try peers.map { (try $0.readFrame(), try $0.readFrame()) }
            #expect(frames[1].0 == .init(opcode: 1, payload: Array(large.bytes.suffix(large.payloadLength))))
            for number in [0, 2, 3] {
                #expect(frames[number].0.isMarked && frames[number].0.payload.count < large.payloadLength / 20)
                #expect(frames[number].0 == frames[0].0)
            }
            for frame in frames { #expect(frame.1 == .init(opcode: 1, payload: Array("small".utf8))) }
            let inflater = Inflater(limit: 200_000, skipLimit: 200_000)
            let isWhole = frames[0].0.payload.withUnsafeBytes { payload in
                guard case .message(let bytes) = inflater.inflated(payload) else { return false }
                return bytes.elementsEqual(large.bytes.suffix(large.payloadLength))
            }
            #expect(isWhole)
        }
    }

    // MARK: What it receives

    @Test func compressedAndPlainMessagesAreRead() async throws {
        try await withPeer { peer, handler in
            try peer.sendFrame(opcode: 1 | Self.mark, Self.hello)
            try peer.sendText("plain")
            try peer.sendFrame(opcode: 2 | Self.mark, Self.hello)
            try peer.sendFrame(opcode: 1, [])
            try peer.sendFrame(opcode: 1 | Self.mark, [0x00])
            try peer.sendFrame(opcode: 1 | Self.mark, [])
            try peer.sendText("last")
            #expect(try await handler.next() == .text("Hello"))
            #expect(try await handler.next() == .text("plain"))
            #expect(try await handler.next() == .binary(Array("Hello".utf8)))
            for _ in 0..<3 { #expect(try await handler.next() == .text("")) }
            #expect(try await handler.next() == .text("last"))
        }
    }

    @Test(arguments: [1, 2, 3, 5]) func fragmentsWithPingsAndPongsBetweenBecomeOneMessage(_ size: Int) async throws {
        try await withPeer { peer, handler in
            for start in stride(from: 0, to: Self.hello.count, by: size) {
                let part = Array(Self.hello[start..<min(start + size, Self.hello.count)])
                let isLast = start + size >= Self.hello.count
                try peer.sendFrame(opcode: start == 0 ? 1 | Self.mark : 0, part, isFinal: isLast)
                guard !isLast else { break }
                try peer.sendFrame(opcode: 9, Array("ping \(start)".utf8))
                try peer.sendFrame(opcode: 10, Array("pong".utf8))
                try peer.sendFrame(opcode: 10, [])
                #expect(try peer.readFrame() == .init(opcode: 10, payload: Array("ping \(start)".utf8)))
            }
            #expect(try await handler.next() == .text("Hello"))
        }
    }

    @Test func emptyFragmentsAreNoHarm() async throws {
        try await withPeer { peer, handler in
            try peer.sendFrame(opcode: 1 | Self.mark, [], isFinal: false)
            try peer.sendFrame(opcode: 0, Self.hello, isFinal: false)
            try peer.sendFrame(opcode: 0, [])
            try peer.sendText("after")
            #expect(try await handler.next() == .text("Hello"))
            #expect(try await handler.next() == .text("after"))
        }
    }

    @Test(arguments: [1000, 16_384, 100_000]) func aLargeMessageIsReadInOneSegmentOrByteByByte(_ count: Int)
        async throws
    {
        try await withPeer(configure: { $0.messageLimit = 100_000 }) { peer, handler in
            var random = SystemRandomNumberGenerator()
            let bytes = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
            let frame = RawPeer.frame(opcode: 1 | Self.mark, try Self.deflated(bytes))
            try peer.send(frame + frame)
            for byte in frame.prefix(500) { try peer.send([byte]) }
            try peer.send(Array(frame.dropFirst(500)))
            for _ in 0..<3 { #expect(try await handler.next() == .text(String(decoding: bytes, as: UTF8.self))) }
        }
    }

    @Test func whatDoesNotGetSmallerIsReadUpToTheLimit() async throws {
        try await withPeer { peer, handler in
            let bytes = (0..<16_384).map { _ in UInt8.random(in: 0...255) }
            // Two blocks without compression (RFC 1951 §3.2.4), and the beginning of the empty one.
            let blocks = [bytes[..<10_000], bytes[10_000...]].map { block in
                let length = UInt16(block.count)
                return [0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)] + block
            }
            try peer.sendFrame(opcode: 2 | Self.mark, blocks[0] + blocks[1] + [0])
            #expect(try await handler.next() == .binary(bytes))
        }
    }

    // MARK: What it refuses

    @Test func overTheLimitIsToldOnceAndTheSocketStays() async throws {
        try await withPeer { peer, handler in
            try peer.sendFrame(opcode: 1 | Self.mark, try Self.deflated([UInt8](repeating: 0x61, count: 16_385)))
            try peer.sendFrame(opcode: 1 | Self.mark, Self.hello)
            #expect(try await handler.next() == .tooLarge)
            #expect(try await handler.next() == .text("Hello"))
        }
    }

    @Test func aBombIsClosedWith1009BeforeItGoesOff() async throws {
        try await withPeer { peer, handler in
            let bomb = try Self.deflated([UInt8](repeating: 0, count: 10_000_000))
            #expect(bomb.count < 12_000)
            try peer.sendFrame(opcode: 1 | Self.mark, bomb)
            #expect(try peer.readFrame().code == 1009)
        }
    }

    @Test(arguments: [[0xFF], Array("plain".utf8), [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48]] as [[UInt8]])
    func whatCanNotBeInflatedIsClosedWith1007(_ payload: [UInt8]) async throws {
        try await withPeer { peer, _ in
            try peer.sendFrame(opcode: 1 | Self.mark, payload)
            #expect(try peer.readFrame().code == 1007)
        }
    }

    @Test(arguments: [[0x68, 0xC3, 0x28], [0x68, 0xC3]] as [[UInt8]])
    func invalidUTF8IsClosedWith1007CompressedOrPlain(_ text: [UInt8]) async throws {
        let long = [UInt8](repeating: 0x61, count: 1000) + text
        for isCompressed in [true, false] {
            try await withPeer { peer, _ in
                try peer.sendFrame(opcode: 1, Array("é".utf8))
                try peer.sendFrame(
                    opcode: isCompressed ? 1 | Self.mark : 1, isCompressed ? try Self.deflated(long) : text)
                #expect(try peer.readFrame().code == 1007)
            }
        }
    }

    @Test func charactersCutByFragmentsAreFine() async throws {
        try await withPeer { peer, handler in
            try peer.sendFrame(opcode: 1, [0xF0, 0x9F], isFinal: false)
            try peer.sendFrame(opcode: 0, [0x98, 0x80])
            #expect(try await handler.next() == .text("😀"))
        }
    }

    @Test(arguments: [8, 9, 10]) func controlFramesWithRSV1AreClosedWith1002(_ opcode: UInt8) async throws {
        try await withPeer { peer, _ in
            try peer.sendFrame(opcode: opcode | Self.mark, [0x03, 0xE8])
            var frame = try peer.readFrame()
            while frame.opcode == 10 { frame = try peer.readFrame() }
            #expect(frame.code == 1002)
        }
    }

    @Test(arguments: [true, false]) func aContinuationWithRSV1IsClosedWith1002(_ isCompressed: Bool) async throws {
        try await withPeer { peer, _ in
            let start = Array((isCompressed ? Self.hello : Array("hello".utf8)).prefix(3))
            try peer.sendFrame(opcode: isCompressed ? 1 | Self.mark : 1, start, isFinal: false)
            try peer.sendFrame(opcode: 0 | Self.mark, Array("more".utf8))
            #expect(try peer.readFrame().code == 1002)
        }
    }

    @Test(arguments: [0x20, 0x10] as [UInt8]) func otherReservedBitsAreClosedWith1002(_ bit: UInt8) async throws {
        try await withPeer { peer, _ in
            try peer.sendFrame(opcode: 1 | bit, Self.hello)
            #expect(try peer.readFrame().code == 1002)
        }
    }

    @Test func anUnmaskedCompressedFrameIsClosedWith1002() async throws {
        try await withPeer { peer, _ in
            try peer.sendFrame(opcode: 1 | Self.mark, Self.hello, isMasked: false)
            #expect(try peer.readFrame().code == 1002)
        }
    }

    @Test func aCloseFrameWhoseReasonIsNoTextIsClosedWith1007() async throws {
        try await withPeer { peer, _ in
            try peer.sendFrame(opcode: 8, [0x03, 0xE8, 0xC3, 0x28])
            #expect(try peer.readFrame().code == 1007)
        }
    }

    @Test func aPingAmongCompressedFramesIsNoFault() async throws {
        try await withPeer { peer, handler in
            // The header of a compressed frame is there, and no more, while the pong goes out.
            let frame = RawPeer.frame(opcode: 1 | Self.mark, Self.hello)
            for cut in 1..<6 {
                try peer.sendText("plain")
                try peer.send(RawPeer.frame(opcode: 9, Array("ping".utf8)) + frame.prefix(cut))
                #expect(try peer.readFrame() == .init(opcode: 10, payload: Array("ping".utf8)))
                try peer.send(Array(frame.dropFirst(cut)))
                #expect(try await handler.next() == .text("plain"))
                #expect(try await handler.next() == .text("Hello"))
            }
        }
    }
}
