import Locking
import Pulling
import Testing
import WebSockets

@testable import RefreshableLists

/// Sessions belong to one connection at a time, and outlive it by ten minutes.
struct SessionRegistryTests {
    private let clock = SettableClock()
    private let registry: SessionRegistry
    private let memory = SessionMemory(token: "session")
    private let closed = Locked<[UInt64]>([])

    init() {
        registry = SessionRegistry(clock: clock)
        registry.register(memory, owner: owner(1))
    }

    @Test func whoTakesASessionUpEndsTheConnectionThatHadIt() {
        #expect(registry.takeUp("session", owner: owner(2)) === memory)
        #expect(closed.withLock { $0 } == [1])
        #expect(registry.takeUp("another", owner: owner(2)) == nil)
    }

    @Test func theEndOfTheOlderConnectionLeavesItToTheNewOne() {
        _ = registry.takeUp("session", owner: owner(2))
        registry.release("session", by: 1)
        clock.uptime += SessionRegistry.age
        #expect(registry.takeExpired().isEmpty)
    }

    @Test func aSessionIsKeptForTenMinutesAfterItsConnectionWasLost() {
        registry.release("session", by: 1)
        clock.uptime += SessionRegistry.age - 1
        #expect(registry.takeExpired().isEmpty)
        clock.uptime += 1
        #expect(registry.takeExpired().map(\.token) == ["session"])
        #expect(registry.takeUp("session", owner: owner(2)) == nil)
    }

    @Test func whoCameBackInTimeIsNotForgotten() {
        registry.release("session", by: 1)
        _ = registry.takeUp("session", owner: owner(2))
        clock.uptime += SessionRegistry.age
        #expect(registry.takeExpired().isEmpty && closed.withLock { $0 }.isEmpty)
    }

    @Test func whoCameBackAndWasLostAgainIsKeptFromThen() {
        registry.release("session", by: 1)
        clock.uptime += 1000
        _ = registry.takeUp("session", owner: owner(2))
        registry.release("session", by: 2)
        clock.uptime += SessionRegistry.age - 1
        #expect(registry.takeExpired().isEmpty)
        clock.uptime += 1
        #expect(registry.takeExpired().map(\.token) == ["session"])
        #expect(registry.count == 0)
    }

    @Test func ofMoreLostOnesThanFitThoseLostFirstAreForgotten() {
        let registry = SessionRegistry(clock: clock, capacity: 100)
        for number in 0..<1000 {
            registry.register(SessionMemory(token: "\(number)"), owner: owner(UInt64(number)))
            // One in ten stays: those who are here are never forgotten.
            if number % 10 != 0 { registry.release("\(number)", by: UInt64(number)) }
        }
        let forgotten = registry.takeExpired().compactMap { Int($0.token) }
        #expect(forgotten == Array((0..<1000).filter { $0 % 10 != 0 }.prefix(800)))
        #expect(registry.count == 200)
    }

    @Test func aLostSessionWeighsAsMuchAsItRemembers() throws {
        let registry = SessionRegistry(clock: clock, capacity: 100)
        let pull = PullMemory(try PullConfiguration(), nil)
        for number in 0..<10 {
            let memory = SessionMemory(token: "\(number)")
            memory.withContents { contents in
                for list in 0..<49 { contents.pulls["list \(list)"] = pull }
            }
            registry.register(memory, owner: owner(UInt64(number)))
            registry.release("\(number)", by: UInt64(number))
        }
        #expect(registry.takeExpired().count == 8)
        #expect(registry.count == 2)
    }

    private func owner(_ socket: UInt64) -> SessionRegistry.Owner {
        .init(socket: socket) { [closed] in closed.withLock { $0.append(socket) } }
    }
}
