import Synchronization
import Testing

@testable import WebSockets

/// One frame to many.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct BroadcastTests {
    private static let frame = SharedFrame(text: Array(String(repeating: "rows, and more rows. ", count: 100).utf8))

    /// A server and so many peers; each socket is in `sockets` when its peer's handshake is answered.
    private func withPeers(
        _ offers: [String],
        _ body: (_ peers: [RawPeer], _ sockets: [WebSocket], _ loop: ServiceLoop) async throws -> Void
    ) async throws {
        let handler = RecordingHandler()
        let sockets = Mutex<[WebSocket]>([])
        handler.onOpened = { socket in sockets.withLock { $0.append(socket) } }
        try await withServer(handler) { server, handler in
            var peers: [RawPeer] = []
            for offer in offers {
                let peer = try RawPeer(port: server.listeningPort, receiveBuffer: 4096)
                try peer.shakeHands(offer)
                peers.append(peer)
                _ = try await handler.next()
            }
            try await body(peers, sockets.withLock { $0 }, server.loops[0])
        }
    }

    /// Sends it to all on their loop: to whom it went, the bytes, and the loop's figures then.
    private func send(
        _ frame: SharedFrame, to writableSockets: [WebSocket.SendTarget], on loop: ServiceLoop
    ) async -> (went: [Bool], bytes: Int, statistics: LoopStatistics) {
        await withCheckedContinuation { continuation in
            loop.post {
                var broadcast = Broadcast(frame, on: loop)
                var went: [Bool] = []
                for sendTarget in writableSockets { went.append(broadcast.send(to: sendTarget)) }
                continuation.resume(returning: (went, broadcast.end(), loop.statistics))
            }
        }
    }

    @Test func eachGetsTheFrameInTheFormItAgreedTo() async throws {
        let offer = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
        try await withPeers([offer, "", offer]) { peers, sockets, loop in
            let sent = await send(Self.frame, to: sockets.compactMap(\.sendTarget), on: loop)
            #expect(sent.went == [true, true, true])
            let frames = try peers.map { try $0.readFrame() }
            #expect(frames[0] == frames[2] && frames[0].isMarked && !frames[1].isMarked)
            #expect(frames[1].payload.count == Self.frame.payloadLength)
            let (whole, small) = (frames[1].payload.count + 4, frames[0].payload.count + 2)
            #expect(sent.bytes == whole + 2 * small)
            #expect(sent.statistics.plain == .init(frames: 1, bytes: whole))
            #expect(sent.statistics.compressed == .init(frames: 2, bytes: 2 * small))
            #expect(sent.statistics.inflatedBytes == 2 * whole)
        }
    }

    @Test func whoeverDoesNotReadIsPassedOverAndCostsTheOthersNothing() async throws {
        try await withPeers(["", ""]) { _, sockets, loop in
            let writableSockets = sockets.compactMap(\.sendTarget)
            let large = SharedFrame(text: [UInt8](repeating: 0x61, count: 8_000_000))
            // More than the system takes: the rest waits.
            #expect(await send(large, to: [writableSockets[0]], on: loop).went == [true])
            #expect(await send(Self.frame, to: writableSockets, on: loop).went == [false, true])
        }
    }

    @Test func whatWaitsForAPeerGoesOutWholeAndInOrder() async throws {
        try await withPeers([""]) { peers, sockets, loop in
            let writableSockets = sockets.compactMap(\.sendTarget)
            let large = SharedFrame(text: [UInt8](repeating: 0x61, count: 8_000_000))
            #expect(await send(large, to: writableSockets, on: loop).went == [true])
            let first = try peers[0].readFrame()
            #expect(first.payload.count == 8_000_000)
            var went = false
            while !went { went = await send(Self.frame, to: writableSockets, on: loop).went == [true] }
            let second = try peers[0].readFrame()
            #expect(second.payload.count == Self.frame.payloadLength)
        }
    }

    @Test func whoeverHasSaidGoodbyeIsSentNothing() async throws {
        try await withPeers([""]) { peers, sockets, loop in
            let writableSockets = sockets.compactMap(\.sendTarget)
            loop.post { sockets[0].close(1000) }
            #expect(await send(Self.frame, to: writableSockets, on: loop).went == [false])
            let last = try peers[0].readFrame()
            #expect(last.code == 1000)
        }
    }

    @Test func aDescriptorThatIsAnothersNowIsLeftAlone() {
        let writableSockets = WritableSockets()
        let (old, new) = (UnsafeMutableRawPointer(bitPattern: 0x1000), UnsafeMutableRawPointer(bitPattern: 0x2000))
        guard let old, let new else { return }
        let first = WebSocket.SendTarget(descriptor: 7, isCompressing: false, socket: old)
        let second = WebSocket.SendTarget(descriptor: 7, isCompressing: false, socket: new)
        writableSockets.open(first)
        #expect(writableSockets.socket(at: first)?.toOpaque() == old)
        writableSockets.open(second)
        #expect(writableSockets.socket(at: first) == nil)
        writableSockets.close(first)
        #expect(writableSockets.socket(at: second)?.toOpaque() == new)
        writableSockets.close(second)
        #expect(writableSockets.socket(at: second) == nil)
        #expect(writableSockets.socket(at: .init(descriptor: 90_000, isCompressing: false, socket: old)) == nil)
    }
}
