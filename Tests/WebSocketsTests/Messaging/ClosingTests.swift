import Testing
import WebSockets

/// How sockets end: by us, by the peer, or by neither.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct ClosingTests {
    @Test func closingReturnsWhenThePeerHasAnswered() async throws {
        let statuses = Results<CloseStatus>()
        try await withSocketServer(serve: { socket in
            try await socket.send("last")
            statuses.add(try await socket.close(code: 4000, reason: "enough"))
            #expect(socket.closeStatus?.wasClean == true)
            // A second one finds the same end.
            statuses.add(try await socket.close())
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            #expect(try peer.readFrame().payload == Array("last".utf8))
            let frame = try peer.readFrame()
            #expect(frame.code == 4000 && frame.payload.dropFirst(2).elementsEqual("enough".utf8))
            try peer.sendFrame(opcode: 8, frame.payload)
            for _ in 0..<2 {
                #expect(try await statuses.next() == CloseStatus(code: 4000, reason: "enough", wasClean: true))
            }
        }
    }

    @Test func aPeerThatHangsUpInPlaceOfAnsweringIsNotClean() async throws {
        let statuses = Results<CloseStatus>()
        try await withSocketServer(serve: { socket in statuses.add(try await socket.close(code: 4000)) }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            _ = try peer.readFrame()
            peer.hangUp()
            #expect(try await statuses.next() == CloseStatus(code: 4000, wasClean: false))
        }
    }

    @Test(
        arguments: [
            ([3, 232], CloseStatus(code: 1000, wasClean: true)),
            ([], CloseStatus(code: 1005, wasClean: true)),
            ([0x0F, 0xA0, 0x61], CloseStatus(code: 4000, reason: "a", wasClean: true)),
        ] as [([UInt8], CloseStatus)])
    func thePeersCloseEndsTheMessages(payload: [UInt8], status: CloseStatus) async throws {
        let statuses = Results<CloseStatus?>()
        try await withSocketServer(serve: { socket in
            for await _ in socket {}
            statuses.add(socket.closeStatus)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            try peer.sendFrame(opcode: 8, payload)
            #expect(try await statuses.next() == status)
        }
    }

    @Test func aLostConnectionIs1006() async throws {
        let statuses = Results<CloseStatus?>()
        try await withSocketServer(serve: { socket in
            for await _ in socket {}
            statuses.add(socket.closeStatus)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            peer.hangUp()
            #expect(try await statuses.next() == CloseStatus(code: 1006, wasClean: false))
        }
    }

    @Test(arguments: [0, 999, 1001, 1005, 1006, 1011, 1015, 2999, 5000, 65535] as [UInt16])
    func aCodeThatIsNotForProgramsIsAnErrorAndTheSocketStaysOpen(code: UInt16) async throws {
        let errors = Results<(any Error)?>()
        try await withSocketServer(serve: { socket in
            do {
                try await socket.close(code: code)
                errors.add(nil)
            } catch {
                errors.add(error)
                try await socket.send("open")
            }
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            guard case .badClose? = try await errors.next() as? SocketError else {
                Issue.record("\(code) was accepted.")
                return
            }
            #expect(try peer.readFrame().payload == Array("open".utf8))
        }
    }

    @Test func aReasonMayHave123BytesOfUTF8() async throws {
        let lengths = Results<Bool>()
        try await withSocketServer(serve: { socket in
            await #expect(throws: SocketError.self) {
                try await socket.close(reason: String(repeating: "é", count: 62))
            }
            lengths.add(true)
            try await socket.close(reason: String(repeating: "é", count: 61) + "e")
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            #expect(try await lengths.next())
            #expect(try peer.readFrame().payload.count == 125)
        }
    }

    @Test func whatIsSentAfterTheEndIsAnError() async throws {
        let errors = Results<Bool>()
        try await withSocketServer(serve: { socket in
            for await _ in socket {}
            await #expect(throws: SocketError.closed) { try await socket.send("late") }
            await #expect(throws: SocketError.closed) { try await socket.ping() }
            let status = try await socket.close()
            #expect(status.code == 1000)
            #expect(await socket.receive() == nil)
            errors.add(true)
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            try peer.sendFrame(opcode: 8, [3, 232])
            #expect(try await errors.next())
        }
    }

    @Test func waitingForTheEndCanBeCancelledAndTheSocketClosesAllTheSame() async throws {
        let errors = Results<Bool>()
        try await withSocketServer(serve: { socket in
            let closing = Task { try await socket.close(code: 4000) }
            for await _ in socket { break }
            closing.cancel()
            let result = await closing.result
            errors.add({ if case .failure(is CancellationError) = result { true } else { false } }())
        }) { _, port in
            let peer = try RawPeer(port: port)
            try peer.shakeHands()
            #expect(try peer.readFrame().code == 4000)
            _ = try? peer.sendText("dropped")
            try peer.sendFrame(opcode: 8, [0x0F, 0xA0])
            _ = try await errors.next()
        }
    }
}
