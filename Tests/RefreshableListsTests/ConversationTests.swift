import Glibc
import KeyedLists
import ListProtocol
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// The journey of a pull over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ConversationTests {
    @Test func pullIsAnsweredPrimedThenRunsAndItsRowsArriveBetweenLoadingAndClosing() async throws {
        let server = try await RunningServer(lists: [
            RefreshableList("fruit").rows([]).refreshable { [ListRow("apple", title: "Apple")] }
        ])
        let client = try await server.connect()
        _ = try await client.watch("fruit")

        let ok = try await client.pull("fruit", gesture: 1)
        _ = try await client.state { $0.phase == .closing }

        #expect(ok.run == .run("r1", joined: false))
        #expect(client.heard.contains { $0.isPrivate(.primed) })
        let order = client.heard.compactMap(\.step)
        #expect(order.suffix(3) == ["loading r1", "patch r1", "closing r1"])
        await client.end()
        try await server.stop()
    }

    @Test func twoPeopleWhoPullAtOnceShareOneRun() async throws {
        let gate = UncancellableGate()
        let server = try await RunningServer(lists: [
            RefreshableList("fruit").rows([]).refreshable {
                await gate.pass(); return [ListRow("apple")]
            }
        ])
        let ann = try await server.connect()
        let bob = try await server.connect()
        _ = try await ann.watch("fruit")
        _ = try await bob.watch("fruit")

        let first = try await ann.pull("fruit", gesture: 1)
        let second = try await bob.pull("fruit", gesture: 1)
        gate.open()
        _ = try await ann.state { $0.phase == .closing }
        _ = try await bob.state { $0.phase == .closing }

        #expect(first.run == .run("r1", joined: false))
        #expect(second.run == .run("r1", joined: true))
        #expect(gate.begun == 1)
        await ann.end()
        await bob.end()
        try await server.stop()
    }

    @Test func peopleOnTwoLoopsShareOneRunAndItsRows() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.loops = 2
        let server = try await RunningServer(
            configuration, lists: [RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] }])
        let people = try await [server.connect(), server.connect(), server.connect()]
        for person in people { _ = try await person.watch("fruit") }

        _ = try await people[0].pull("fruit", gesture: 1)

        for person in people {
            _ = try await person.state { $0.phase == .closing }
            #expect(person.heard.compactMap(\.step).contains("patch r1"))
            await person.end()
        }
        try await server.stop()
    }

    @Test func releaseSentTwiceIsAnsweredTheSameAndRunsOnce() async throws {
        let gate = UncancellableGate()
        gate.open()
        let server = try await RunningServer(lists: [
            RefreshableList("fruit").rows([]).refreshable {
                await gate.pass(); return []
            }
        ])
        let client = try await server.connect()
        _ = try await client.watch("fruit")

        let first = try await client.pull("fruit", gesture: 1)
        _ = try await client.state { $0.phase == .closing }
        client.send(#"{"type":"release","id":"again","list":"fruit","gesture":1,"offset":70}"#)
        let second = try await client.ok("again")

        #expect(first.run == second.run)
        #expect(gate.begun == 1)
        await client.end()
        try await server.stop()
    }

    @Test func listAnswersAWatchWhileOthersHandlersBlockEveryThreadOfThePool() async throws {
        let gate = Barrier()
        defer { gate.open() }
        let blocking = (1...8).map { number in
            RefreshableList("blocked\(number)").refreshable {
                gate.wait(); return []
            }
        }
        let loop = try ServiceLoop(name: "test")
        loop.start()
        // On a thread of its own, for the pool's are about to be taken.
        try await withTaskExecutorPreference(loop) {
            let server = try await RunningServer(lists: blocking + [RefreshableList("free").rows([ListRow("a")])])
            let client = try await server.connect()
            for number in 1...8 { _ = try await client.watch("blocked\(number)", id: "\(number)") }

            let clock = ContinuousClock()
            let start = clock.now
            _ = try await client.watch("free")
            let time = clock.now - start

            #expect(time < .milliseconds(100))
            gate.open()
            await client.end()
            try await server.stop()
        }
        await loop.stop()
    }

    @Test func stoppingSaysGoodbyeWithTheCodeForComingBack() async throws {
        let server = try await RunningServer(lists: [RefreshableList("fruit").rows([])])
        let client = try await server.connect()

        try await server.stop()
        await #expect(throws: Conversation.Ended.self) { try await client.next { _ in false } }

        #expect(client.closeCode == 4200)
        #expect(client.heard.contains { if case .goodbye = $0 { true } else { false } })
        await client.end()
    }

    @Test func sessionIsTakenUpAgainByHello() async throws {
        let server = try await RunningServer(lists: [RefreshableList("fruit").rows([]).refreshable { [] }])
        let lost = try await server.connect()
        _ = try await lost.watch("fruit")
        let before = try await lost.pull("fruit", gesture: 1)
        guard case .welcome(let session, _, _, _) = lost.heard[0] else { return }
        lost.cut()

        let found = try await server.connect()
        found.send(#"{"type":"hello","id":"h","session":"\#(session)"}"#)
        let hello = try await found.ok("h")
        _ = try await found.watch("fruit")
        found.send(#"{"type":"release","id":"again","list":"fruit","gesture":1,"offset":70}"#)
        let after = try await found.ok("again")

        #expect(hello.resumed == true)
        #expect(after.run == before.run)
        await lost.end()
        await found.end()
        try await server.stop()
    }
}

extension ServerMessage {
    func isPrivate(_ phase: Phase) -> Bool {
        if case .privateState(let state) = self { state.phase == phase } else { false }
    }

    /// What a run did, in one word and its name.
    var step: String? {
        switch self {
        case .state(let state): state.run.map { "\(state.phase.rawValue) \($0)" }
        case .patch(let part): part.run.map { "patch \($0)" }
        default: nil
        }
    }
}

/// Holds threads up, really.
final class Barrier: Sendable {
    private let isOpen = Locked(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() {
        while !isOpen.withLock({ $0 }) { sched_yield() }
    }
}
