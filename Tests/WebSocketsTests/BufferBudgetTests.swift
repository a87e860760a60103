import Testing

@testable import WebSockets

/// Who gives way where connections have too much under way, by the rule and over real sockets.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct BufferBudgetTests {
    @Test func whoeverHoldsMostGivesWay() {
        var bufferBudget = BufferBudget(limit: 80)
        let isTooMuch = [bufferBudget.change(by: 80), bufferBudget.change(by: 15)]
        #expect(isTooMuch == [false, true])
        #expect(bufferBudget.givingWay([5, 40, 0, 20, 30]) == [1])
        #expect(bufferBudget.givingWay([10, 16, 15, 14, 13, 13, 14]) == [1, 2])
    }

    @Test func whereThereIsRoomNobodyGivesWay() {
        var bufferBudget = BufferBudget(limit: 80)
        #expect(bufferBudget.givingWay([0, 0]).isEmpty)
        let isTooMuch = bufferBudget.change(by: 80)
        #expect(!isTooMuch && bufferBudget.givingWay([40, 40]).isEmpty)
    }

    @Test func aHeadThatIsNotWholeGivesWayToOthers() async throws {
        try await withServer {
            $0.connectionBudget = 8000
        } _: { server, _ in
            let (large, small) = (try RawPeer(port: server.listeningPort), try RawPeer(port: server.listeningPort))
            try small.send("GET / HTTP/1.1\r\nHost: localhost\r\nx-y: ")
            try large.send("GET / HTTP/1.1\r\nx-y: " + String(repeating: "y", count: 8100))
            let refusal = try large.readToEnd()
            #expect(refusal.hasPrefix("HTTP/1.1 503") && refusal.contains("Retry-After: 5"))
            try small.send("z\r\n\r\n")
            #expect(try small.readResponse().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func aMessageThatIsNotWholeGivesWayToOthers() async throws {
        let handler = RecordingHandler()
        try await withServer(handler) {
            $0.connectionBudget = 10_000
        } _: { server, _ in
            let (large, small) = (try RawPeer(port: server.listeningPort), try RawPeer(port: server.listeningPort))
            for peer in [large, small] { try peer.shakeHands() }
            // A text of two frames each, of which the second does not come.
            try small.send([0x01, 0x81, 0, 0, 0, 0, 0x61])
            try large.send([0x01, 0xFE, 0x2E, 0xE0, 0, 0, 0, 0] + [UInt8](repeating: 0x61, count: 12_000))
            var closing: CloseStatus?
            while closing == nil {
                if case .closed(let status) = try await handler.next() { closing = status }
            }
            #expect(closing?.code == 4100)
            try small.send([0x80, 0x81, 0, 0, 0, 0, 0x62])
            #expect(try await handler.next() == .text("ab"))
        }
    }

    @Test func whatTheOwnerKeepsForASocketCounts() async throws {
        let handler = RecordingHandler()
        handler.onText = { text, socket in socket.kept = Int(text) ?? 0 }
        try await withServer(handler) {
            $0.connectionBudget = 1000
        } _: { server, _ in
            let peer = try RawPeer(port: server.listeningPort)
            try peer.shakeHands()
            for text in ["999", "100", "999", "1001"] {
                try peer.send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
            }
            var texts = 0
            var closing: CloseStatus?
            while closing == nil {
                switch try await handler.next() {
                case .text: texts += 1
                case .closed(let status): closing = status
                default: break
                }
            }
            #expect(closing?.code == 4100 && texts == 4)
        }
    }

    @Test func anAnswerThatIsNotTakenCountsUnlessOthersAreSentTheSame() {
        var response = HTTPResponse.json(200, [UInt8](repeating: 0x20, count: 100_000))
        func held() -> Int { ResponseWriter(response, to: "GET", closing: false).held }
        #expect(held() > 100_000)
        response.isShared = true
        #expect(held() <= 16_384)
        response.isShared = false
        response.revocation = Revocation()
        #expect(held() <= 16_384)
    }
}
