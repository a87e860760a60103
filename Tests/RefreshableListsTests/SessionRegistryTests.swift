import Testing
import WebSockets

@testable import RefreshableLists

/// Sessions belong to one connection at a time, and outlive it by ten minutes.
struct SessionRegistryTests {
    private let clock = HandSetClock()
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
        // Looking costs a look at each: not more often than twice a minute.
        clock.uptime += 29_999
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

    private func owner(_ socket: UInt64) -> SessionRegistry.Owner {
        .init(socket: socket) { [closed] in closed.withLock { $0.append(socket) } }
    }
}
