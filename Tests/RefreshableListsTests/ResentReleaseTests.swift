import KeyedLists
import ListProtocol
import Locking
import Pulling
import Testing
import WebSockets

@testable import RefreshableLists

/// A release that is sent again, on a new connection of the same session, is answered as before (P7).
@Suite(.timeLimit(.minutes(1)))
struct ResentReleaseTests {
    @Test func releaseThatRanIsAnsweredWithItsRunThoughThatIsOver() async throws {
        let replay = try await Replay(RefreshableList("fruit").rows([]).refreshable { ["Apple"] })

        let first = try await replay.release(offset: 70)
        _ = try await replay.client.state { $0.phase == .waiting && $0.last?.run == "r1" }
        let again = try await replay.releaseOnANewConnection(offset: 70)

        #expect(first.run == .run("r1", joined: false))
        #expect(again.run == first.run)
        #expect(await replay.runs == 1)
        try await replay.end()
    }

    @Test func releaseShortOfTheThresholdIsAnsweredSoAgain() async throws {
        let replay = try await Replay(RefreshableList("fruit").rows([]).refreshable { ["Apple"] })

        let first = try await replay.release(offset: 20)
        let again = try await replay.releaseOnANewConnection(offset: 20)

        #expect(first.run == .noRun(.belowThreshold))
        #expect(again.run == first.run)
        #expect(await replay.runs == 0)
        try await replay.end()
    }

    @Test func releaseThatTheListRefusedIsRefusedAgainThoughItWouldNotBeNow() async throws {
        let isOpen = Locked(false)
        let replay = try await Replay(
            RefreshableList("fruit").rows([]).refreshable { ["Apple"] }
                .shouldRefresh { isOpen.withLock { $0 } ? nil : "Closed on Sundays." })

        let first = try await replay.release(offset: 70)
        isOpen.withLock { $0 = true }
        let again = try await replay.releaseOnANewConnection(offset: 70)

        #expect(first.run == .noRun(.refused, message: "Closed on Sundays."))
        #expect(again.run == first.run)
        #expect(await replay.runs == 0)
        try await replay.end()
    }

    @Test func releaseIsAnsweredAlikeHoweverLateItIsSaidAgain() async {
        let stage = Stage(
            RefreshableList("fruit").rows([]).minimumInterval(.seconds(60)).refreshable { ["Apple"] })
        let session = await LocalSession(watching: stage.list)
        func release(_ gesture: Int) async -> RunReference? {
            await session.feel(.release(gesture: gesture, offset: 90, peak: 90), in: stage.list)
        }

        let first = await release(1)
        await stage.advance(by: .seconds(10))
        let second = await release(2)
        await stage.advance(by: .seconds(3600))

        #expect(first == .run("r1", joined: false))
        #expect(second == .noRun(.tooSoon))
        #expect(await release(2) == second)
        #expect(await release(1) == first)
    }

    @Test func releaseThatComesTwiceWhileItRunsIsOneRun() async throws {
        let gate = UncancellableGate()
        let replay = try await Replay(
            RefreshableList("fruit").rows([]).refreshable {
                await gate.pass(); return ["Apple"]
            })

        let first = try await replay.release(offset: 70)
        let again = try await replay.releaseOnANewConnection(offset: 70)
        await gate.arrival()
        gate.open()

        #expect(again.run == first.run)
        #expect(gate.begun == 1)
        try await replay.end()
    }
}

/// One session whose connection is lost after its first gesture.
private final class Replay {
    private let server: RunningServer
    private var session = ""
    private(set) var client: Conversation
    private var lost: Conversation?

    init(_ list: RefreshableList) async throws {
        server = try await RunningServer(lists: [list])
        client = try await server.connect()
        if case .welcome(let session, _, _, _) = client.heard[0] { self.session = session }
        _ = try await client.watch("fruit")
    }

    /// How many runs the list had.
    var runs: Int {
        get async { await server.server["fruit"]?.gate.runs ?? -1 }
    }

    func release(offset: Double) async throws -> OK {
        client.send(#"{"type":"release","id":"r","list":"fruit","gesture":1,"offset":\#(offset)}"#)
        return try await client.ok("r")
    }

    func releaseOnANewConnection(offset: Double) async throws -> OK {
        client.cut()
        lost = client
        client = try await server.connect()
        client.send(#"{"type":"hello","id":"h","session":"\#(session)"}"#)
        guard try await client.ok("h").resumed == true else { throw Conversation.Ended(code: 0, heard: client.heard) }
        _ = try await client.watch("fruit")
        return try await release(offset: offset)
    }

    func end() async throws {
        await lost?.end()
        await client.end()
        try await server.stop()
    }
}
