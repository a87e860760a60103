import Testing
import WebSockets

/// Ends, cancellations and messages that meet: everybody who waits gets an answer, once. A continuation that is resumed twice
/// traps, one that is forgotten hangs until the time limit.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(3))) struct ContinuationRaceTests {
    /// Several tasks send, receive, ping and close one socket; some are cancelled; the peer reads, or leaves.
    @Test(arguments: 0..<40 as Range<UInt64>) func everybodyGetsAnAnswerOnce(seed: UInt64) async throws {
        let ended = Results<Int>()
        try await withSocketServer(
            configure: {
                ($0.sendLimit, $0.compresses) = (20_000, seed % 2 == 0)
                ($0.receiveLimit, $0.gracePeriod) = ((2, 4000), .milliseconds(20))
            },
            serve: { socket in
                let number = await Self.useAtOnce(socket, seed: seed &* 1000 &+ socket.id)
                ended.add(number)
            }
        ) { _, port in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<10 {
                let peer = try RawPeer(port: port, receiveBuffer: 4096)
                try peer.shakeHands()
                for _ in 0..<Int.random(in: 0..<20, using: &generator) {
                    _ = peer.sendAtOnce(RawPeer.frame(opcode: 1, [UInt8](repeating: 0x61, count: 500)))
                }
                if Bool.random(using: &generator) { _ = try peer.read() }
                if Bool.random(using: &generator) { _ = peer.sendAtOnce(RawPeer.frame(opcode: 8, [3, 232])) }
                peer.hangUp()
                #expect(try await ended.next() == 12)
            }
        }
    }

    /// How many tasks have ended.
    @concurrent private static func useAtOnce(_ socket: WebSocket, seed: UInt64) async -> Int {
        var generator = SeededGenerator(seed: seed)
        return await withTaskGroup { group in
            var tasks: [Task<Void, Never>] = []
            for _ in 0..<12 {
                let kind = Int.random(in: 0..<4, using: &generator)
                let delay = Int.random(in: 0..<50, using: &generator)
                let task = Task {
                    for _ in 0..<delay { await Task.yield() }
                    await use(socket, kind)
                }
                tasks.append(task)
                group.addTask {
                    await task.value
                    return 1
                }
            }
            for task in tasks where Bool.random(using: &generator) {
                for _ in 0..<Int.random(in: 0..<20, using: &generator) { await Task.yield() }
                task.cancel()
            }
            return await group.reduce(0, +)
        }
    }

    private static func use(_ socket: WebSocket, _ kind: Int) async {
        do {
            switch kind {
            case 0: for _ in 0..<30 { try await socket.send([UInt8](repeating: 1, count: 3000)) }
            case 1: for _ in 0..<10 { _ = await socket.receive() }
            case 2: for _ in 0..<5 { try await socket.ping() }
            default: try await socket.close(code: 4000)
            }
        } catch {
            #expect(error is CancellationError || error as? SocketError == .closed, "\(error)")
        }
    }
}
