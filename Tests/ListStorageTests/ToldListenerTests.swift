import Foundation
import Locking
import Testing

@testable import ListStorage
@testable import PostgresStorage

/// Whoever is told of events is called as at first, however often: no call leaves anything behind.
struct ToldListenerTests {
    @Test func aListenerOfAStoreIsCalledAtTheSameDepthHoweverOften() {
        let events = StoreEventBuffer()
        let calls = Calls()
        events.open { _ in calls.note() }
        for _ in 0..<1000 { events.tell(.recovered(path: "lists")) }
        #expect(calls.count == 1000 && calls.deepening == 0)
    }

    @Test(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
    func aListenerOfNoticesIsCalledAtTheSameDepthHoweverOften() throws {
        let store = try PostgresStore(try #require(TestDatabase.shared?.makeDatabase()))
        let calls = Calls()
        store.onChanges { list, _ in if list == "names" { calls.note() } }
        for _ in 0..<1000 { store.notices.tell("names", .notice) }
        #expect(calls.count == 1000 && calls.deepening == 0)
        try store.close()
    }
}

/// How deep in the stack a listener is called.
private final class Calls: Sendable {
    private let depths = Locked<[Int]>([])

    var count: Int { depths.withLock(\.count) }

    /// By how many calls the last one was deeper than the first.
    var deepening: Int { depths.withLock { ($0.last ?? 0) - ($0.first ?? 0) } }

    func note() {
        // Not by the address of a variable: the Address Sanitizer keeps those elsewhere.
        let depth = Thread.callStackReturnAddresses.count
        depths.withLock { $0.append(depth) }
    }
}
