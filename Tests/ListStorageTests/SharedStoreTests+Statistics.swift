import KeyedLists
import Locking
import Testing

@testable import ListStorage
@testable import PostgresStorage

/// What a shared store counts of itself.
extension SharedStoreTests {
    @Test func aChangeThatCameTooLateIsAConflictOfItsServer() async throws {
        let known = try await first.read("names")
        try await second.push(["a"], to: "names")
        _ = try await first.keep(try known.change(["b"]), of: "names")
        #expect(first.statistics.conflicts == 1 && second.statistics.conflicts == 0)
    }

    @Test func theServerThatRenewsAnEpochCountsIt() async throws {
        try await first.push(["a"], to: "names")
        TestDatabase.shared?.sql("UPDATE refreshable.lists SET identity = ''", in: url)
        let update = try await second.read("names")
        #expect(second.statistics.renewedEpochs == 1)
        _ = try await first.read("names", since: update.place)
        #expect(first.statistics.renewedEpochs == 0)
        let outcome = await first.renew("names", at: update.place)
        #expect(try outcome.get() == .kept && first.statistics.renewedEpochs == 1)
    }

    @Test func anOperationThatFailsIsCountedByItsKind() async throws {
        try await first.push(["a"], to: "names")
        #expect(first.statistics.errors.isEmpty)
        TestDatabase.shared?.sql("UPDATE refreshable.rows SET fields = '{}'", in: url)
        await #expect(throws: ListStoreError.self) { try await first.read("names") }
        #expect(first.statistics.errors == [.read: 1])
    }

    @Test func eachOperationTellsItsDuration() async throws {
        let told = Locked<[StoreOperation: [Duration]]>([:])
        first.onDurations { operation, duration in told.withLock { $0[operation, default: []].append(duration) } }
        let known = try await first.read("names")
        _ = try await first.keep(try known.change(["a"]), of: "names")
        _ = try await first.lead("names", in: known.place.epoch)
        let durations = told.withLock(\.self)
        #expect([.read, .commit, .lead].allSatisfy { durations[$0]?.count == 1 })
        #expect(durations.values.joined().allSatisfy { $0 > .zero && $0 < .seconds(60) })
    }

    @Test func connectionsForStatementsAreCounted() async throws {
        _ = try await first.read("names")
        #expect((1...ConnectionPool.most).contains(first.statistics.connections))
        try first.close()
        #expect(first.statistics.connections == 0)
    }

    @Test func aListThatAnotherChangedIsToldWithItsSignal() async throws {
        let (signals, tell) = AsyncStream.makeStream(of: ChangeSignal.self)
        second.onChanges { list, signal in if list == "names" { tell.yield(signal) } }
        _ = try await second.read("names")
        try await first.push(["a"], to: "names")
        // Whichever comes first: the notice waits some milliseconds for others, looks are taken twice a second.
        var heard: Set<ChangeSignal> = []
        for await signal in signals {
            heard.insert(signal)
            if heard.isSuperset(of: [.notice, .look]) { break }
        }
        #expect(heard.isSuperset(of: [.notice, .look]))
    }
}

extension PostgresStore {
    fileprivate func renew(_ list: String, at place: StoredPlace) async -> Result<KeepOutcome, ListStoreError> {
        await withCheckedContinuation { continuation in
            renew(list, at: place) { continuation.resume(returning: $0) }
        }
    }
}
