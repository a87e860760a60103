import Foundation
import GRDB
import KeyedLists
import Locking
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// What writes waits neither for another program that holds the file nor for another list.
struct LockedStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Does something while another program holds the file.
    private func whileHeld(_ kind: String = "IMMEDIATE", _ body: () throws -> Void) throws {
        let other = try DatabaseQueue(path: folder.data.database)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN \(kind)")
            defer { #expect(throws: Never.self) { try database.execute(sql: "ROLLBACK") } }
            try body()
        }
        try other.close()
    }

    @Test(arguments: ["IMMEDIATE", "EXCLUSIVE"])
    func aCommitThatFindsTheFileHeldFailsAtOnceAndIsNotEvenMade(kind: String) throws {
        try folder.withStore { store in
            let stored = try store.fill("names", ["a"])
            let start = ContinuousClock.now
            try whileHeld(kind) {
                let busy = ListStoreError.busy(path: folder.data.database)
                #expect(throws: busy) {
                    try store.commit(to: "names") {
                        Issue.record("It was made.")
                        return nil
                    }
                }
                #expect(throws: busy) { try store.note(StoredFacts(runs: 1), of: "names") }
                #expect(throws: busy) { try store.renewEpoch(of: "names") }
                // Reading goes on.
                let loaded = try store.load("names")
                #expect(loaded.list.keys == ["a"] && loaded.epoch == stored.epoch)
                #expect(try store.load("other").list.isEmpty)
            }
            #expect(ContinuousClock.now - start < .seconds(2))

            _ = try store.load("names")
            var list = stored.list
            let commit = try list.change([.set(ListRow("b"), .last)])
            try store.commit(commit, facts: StoredFacts(runs: 1), to: "names")
            #expect(try store.load("names").list.keys == ["a", "b"])
        }
    }

    @Test func whatTheChangeThrowsIsThrownAndNothingIsKept() throws {
        struct Fault: Error {}
        try folder.withStore { store in
            try store.fill("names", ["a"])
            let rows = try store.rowsWritten
            #expect(throws: Fault.self) { try store.commit(to: "names") { throw Fault() } }
            try store.commit(to: "names") { nil }
            #expect(try store.rowsWritten == rows)
        }
    }

    @Test func theNumberOfARunThatCouldNotBeKeptIsNotUsedAgainAfterAKill() throws {
        let epoch = try folder.withLostStore { store in
            let stored = try store.fill("names", ["a"])
            try whileHeld { #expect(throws: ListStoreError.self) { try store.note(StoredFacts(runs: 1), of: "names") } }
            return stored.epoch
        }
        let later = try folder.withStore { try $0.load("names") }
        #expect(later.epoch != epoch)
    }

    /// Killed between the keeping of a change and its mark, which then has as much as the database.
    @Test func aChangeOfAnotherListDoesNotMakeUpForTheNumberOfARun() throws {
        var marked: Data?
        let epoch = try folder.withLostStore { store in
            let epoch = try store.fill("names", ["a"]).epoch
            _ = try store.load("other")
            try whileHeld { #expect(throws: ListStoreError.self) { try store.note(StoredFacts(runs: 1), of: "names") } }
            marked = FileManager.default.contents(atPath: folder.data.lock)
            try store.fill("other", ["b"])
            return epoch
        }
        try marked?.write(to: URL(fileURLWithPath: folder.data.lock))
        let later = try folder.withStore { try $0.load("names") }
        #expect(later.epoch != epoch)
    }

    @Test func theNumberOfARunThatCouldNotBeKeptIsKeptAtTheStop() throws {
        let epoch = try folder.withStore { store in
            let stored = try store.fill("names", ["a"])
            try whileHeld { #expect(throws: ListStoreError.self) { try store.note(StoredFacts(runs: 1), of: "names") } }
            return stored.epoch
        }
        let later = try folder.withStore { try $0.load("names") }
        #expect(later.epoch == epoch && later.facts.runs == 1)
    }

    @Test func theLogIsEmptiedBesideTheCommits() throws {
        try folder.withStore { store in
            var list = try store.fill("names", ["a"]).list
            var longest = 0
            for step in 0..<3000 {
                let title = String(repeating: "\(step)", count: 100)
                let rows = (0..<20).map { Edit.set(ListRow("k\($0)", title: title), .last) }
                let commit = try list.change(rows)
                try whenFree { try store.commit(commit, facts: StoredFacts(), to: "names") }
                let log = try FileManager.default.attributesOfItem(atPath: folder.data.log)
                longest = max(longest, log[.size] as? Int ?? 0)
            }
            // 3,000 commits of ten pages are 120 MiB.
            #expect(longest > 4096 && longest < 40 << 20, "\(longest)")
        }
    }

    @Test func theGateLetsEverybodyInInTheirOrder() throws {
        let gate = FairLock()
        #expect(gate.enter(within: 0))
        #expect(!gate.enter(within: 0.001))
        gate.leave()
        #expect(gate.enter(within: 0))
        let order = Locked<[Int]>([])
        let group = DispatchGroup()
        for number in 0..<5 {
            group.enter()
            Thread.detachNewThread {
                if gate.enter(within: 60) {
                    order.withLock { $0.append(number) }
                    gate.leave()
                }
                group.leave()
            }
            while gate.waitingCount <= number { sched_yield() }
        }
        gate.leave()
        group.wait()
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
    }
}
