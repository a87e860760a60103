import Testing
import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct SocketGroupTests {
    @Test(arguments: [1, 3]) func allMembersGetAFrameButTheOneThatSentIt(threads: Int) async throws {
        let group = SocketGroup()
        let deliveries = Results<SocketGroup.Delivery>()
        try await withSocketServer(
            configure: { $0.threads = threads },
            serve: { socket in
                group.insert(socket)
                group.insert(socket)
                for await message in socket { deliveries.add(await group.send(SharedFrame(message), except: socket)) }
            }
        ) { _, port in
            let peers = try (0..<8).map { _ in try RawPeer(port: port) }
            for peer in peers { try peer.shakeHands() }
            try await eventually { group.count == 8 }
            try peers[0].sendText("hello")
            #expect(try await deliveries.next() == .init(sent: 7, skipped: 0))
            for peer in peers.dropFirst() { #expect(try peer.readFrame().payload == Array("hello".utf8)) }
            for peer in peers { peer.hangUp() }
            try await eventually { group.count == 0 }
        }
    }

    @Test func aRemovedMemberGetsNothingMore() async throws {
        let group = SocketGroup()
        try await withSocketServer(serve: { socket in
            group.insert(socket)
            await group.send("in")
            group.remove(socket)
            group.remove(socket)
            #expect(await group.send("out") == .init(sent: 0, skipped: 0))
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            #expect(try peer.readFrame().payload == Array("in".utf8))
            #expect(try peer.readFrame().code == 1000)
        }
        #expect(group.count == 0)
    }

    @Test func aBroadcastComesBehindWhatWasSentBefore() async throws {
        let group = SocketGroup()
        try await withSocketServer(
            configure: { $0.compresses = false },
            serve: { socket in
                group.insert(socket)
                for number in 0..<1000 {
                    if number % 3 == 0 { await group.send("\(number)") } else { try await socket.send("\(number)") }
                }
            }
        ) { _, port in
            let peer = try RawPeer(port: port, receiveBuffer: 4096)
            try peer.shakeHands()
            for number in 0..<1000 { #expect(try peer.readFrame().payload == Array("\(number)".utf8)) }
        }
    }

    /// Also where the one who joins is on another loop than the one who heard.
    @Test func whoJoinsAfterAMemberHasHeardAFrameDoesNotHearIt() async throws {
        let group = SocketGroup()
        try await withSocketServer(
            configure: { $0.threads = 3 },
            serve: { socket in
                group.insert(socket)
                for await message in socket { await group.send(SharedFrame(message)) }
            }
        ) { _, port in
            for number in 0..<300 {
                let peer = try RawPeer(port: port)
                try peer.shakeHands()
                try peer.sendText("\(number)")
                #expect(try peer.readFrame().payload == Array("\(number)".utf8))
                peer.hangUp()
            }
        }
    }

    @Test func aSlowMemberMissesFramesAndHoldsNobodyUp() async throws {
        let group = SocketGroup()
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses) = (50_000, false) },
            serve: { socket in
                group.insert(socket)
                for await _ in socket {}
            }
        ) { _, port in
            let slow = try RawPeer(port: port, receiveBuffer: 4096)
            let quick = try RawPeer(port: port)
            for peer in [slow, quick] { try peer.shakeHands() }
            try await eventually { group.count == 2 }
            var skipped = 0
            for number in 0..<1000 {
                let delivery = await group.send(
                    SharedFrame(binary: [UInt8](repeating: UInt8(number & 255), count: 10_000)))
                #expect(delivery.sent + delivery.skipped == 2)
                skipped += delivery.skipped
                #expect(try quick.readFrame().payload.first == UInt8(number & 255))
            }
            #expect(skipped > 0)
            #expect(group.count == 2)
        }
    }

    @Test func aSlowMemberIsClosedWhereThatIsWanted() async throws {
        let group = SocketGroup(slowMembers: .close)
        let statuses = Results<CloseStatus?>()
        try await withSocketServer(
            configure: { ($0.sendLimit, $0.compresses) = (50_000, false) },
            serve: { socket in
                group.insert(socket)
                for await _ in socket {}
                statuses.add(socket.closeStatus)
            }
        ) { _, port in
            let slow = try RawPeer(port: port, receiveBuffer: 4096)
            try slow.shakeHands()
            try await eventually { group.count == 1 }
            while await group.send(SharedFrame(binary: [UInt8](repeating: 1, count: 10_000))).skipped == 0 {}
            var frame = try slow.readFrame()
            while frame.opcode == 2 { frame = try slow.readFrame() }
            #expect(frame.code == 4101)
            try slow.sendFrame(opcode: 8, frame.payload)
            #expect(try await statuses.next()?.code == 4101)
        }
    }

    @Test func aFrameIsCompressedForThoseWhoAgreed() async throws {
        let group = SocketGroup()
        try await withSocketServer(serve: { socket in
            group.insert(socket)
            for await _ in socket {}
        }) { _, port in
            let plain = try RawPeer(port: port)
            let compressing = try RawPeer(port: port)
            try plain.shakeHands()
            try compressing.shakeHands(
                "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover; server_no_context_takeover\r\n"
            )
            try await eventually { group.count == 2 }
            await group.send(String(repeating: "a", count: 10_000))
            #expect(try plain.readFrame().payload.count == 10_000)
            let frame = try compressing.readFrame()
            #expect(frame.isMarked && frame.payload.count < 200)
        }
    }
}
