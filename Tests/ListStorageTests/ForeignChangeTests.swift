import Foundation
import GRDB
import KeyedLists
import Locking
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// Another program writes to the file while it is open, or puts another one in its place, or takes it away.
@Suite struct ForeignChangeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func database(_ path: String? = nil) throws -> DatabaseQueue {
        try DatabaseQueue(path: path ?? folder.data.database)
    }

    /// As `.backup` and `.restore` do.
    private func copy(_ source: String, to target: String) throws {
        let (from, to) = (try database(source), try database(target))
        try from.backup(to: to)
        try from.close()
        try to.close()
    }

    private var backup: String { folder.path + "/backup" }

    /// A store with two lists, a backup of it, and a commit since.
    private func withRestored(_ body: (SQLiteStore, _ before: StoredList, News) throws -> Void) throws {
        try folder.withStore { store in
            let events = News(of: store)
            var stored = try store.fill("names", ["a"])
            try store.fill("other", ["x"])
            try copy(folder.data.database, to: backup)
            try store.commit(
                try stored.list.change([.set(ListRow("b"), .last)]), facts: StoredFacts(runs: 4), to: "names")
            #expect(store.isUnchanged && events.all.isEmpty)
            try copy(backup, to: folder.data.database)
            try body(store, stored, events)
        }
    }

    @Test func whatIsRestoredIsAnotherHistoryForAllListsBeyondWhatWasSeen() throws {
        try withRestored { store, before, events in
            store.look()
            let after = try store.load("names")
            #expect(after.epoch != before.epoch && !after.isRestored)
            #expect(after.list.keys == ["a"])
            #expect(after.list.revision > before.list.revision && after.list.floor == after.list.revision)
            #expect(after.facts.runs >= 4)
            #expect(try store.load("other").list.keys == ["x"])
            #expect(events.all.count == 1 && store.fault == nil)
            store.look()
            #expect(events.all.count == 1)
        }
    }

    @Test func aCommitNoticesItBeforeItIsKept() throws {
        try withRestored { store, before, events in
            var list = before.list
            let commit = try list.change([.set(ListRow("c"), .last)])
            #expect(throws: ListStoreError.changed(path: folder.data.database)) {
                try store.commit(commit, facts: StoredFacts(), to: "names")
            }
            var after = try store.load("names")
            #expect(after.epoch != before.epoch && after.list.keys == ["a"])
            try store.commit(try after.list.change([.set(ListRow("c"), .last)]), facts: after.facts, to: "names")
            #expect(try store.load("names").list.keys == ["a", "c"])
            #expect(events.all.count == 1)
        }
    }

    @Test func aListThatIsLoadedOnlyThenIsInANewEpochToo() throws {
        let epoch = try folder.withStore { try $0.fill("names", ["a"]).epoch }
        try copy(folder.data.database, to: backup)
        try folder.withStore { store in
            try copy(backup, to: folder.data.database)
            let loaded = try store.load("names")
            #expect(loaded.epoch != epoch && !loaded.isRestored && loaded.list.keys == ["a"])
        }
    }

    @Test func whatWasRestoredIsVouchedForByTheNextStart() throws {
        var found: StoredList?
        try withRestored { store, _, _ in
            store.look()
            found = try store.load("names")
        }
        let later = try folder.withStore { try $0.load("names") }
        #expect(later.epoch == found?.epoch && later.list.placed == found?.list.placed)
    }

    @Test func whatIsRestoredJustBeforeTheEndIsInANewEpoch() throws {
        var before: Epoch?
        try withRestored { _, stored, _ in before = stored.epoch }
        #expect(try folder.withStore { try $0.load("names").epoch } != before)
    }

    @Test func aListThatTheFileLacksGoesOnWithoutRows() throws {
        try copyOfAnEmptyStore(to: backup)
        try folder.withStore { store in
            let before = try store.fill("names", ["a", "b"])
            try copy(backup, to: folder.data.database)
            store.look()
            var after = try store.load("names")
            #expect(after.epoch != before.epoch && after.list.isEmpty && after.list.revision > before.list.revision)
            try store.commit(try after.list.change([.set(ListRow("c"), .last)]), facts: after.facts, to: "names")
        }
        #expect(try folder.withStore { try $0.load("names").list.keys } == ["c"])
    }

    private func copyOfAnEmptyStore(to path: String) throws {
        let empty = try TemporaryFolder()
        try empty.withStore { _ in }
        try folder.copy(empty.data.database, over: path)
    }

    @Test func whatIsNoneOfOursIsNotTakenUpAndNothingIsKeptInIt() throws {
        let foreign = try DatabaseQueue(path: backup)
        try foreign.write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        try foreign.close()
        let store = try SQLiteStore(folder: folder.path, boot: "boot 1")
        var stored = try store.fill("names", ["a"])
        let events = News(of: store)
        try copy(backup, to: folder.data.database)
        store.look()
        store.look()
        #expect(store.fault == .anotherProgram(path: folder.data.database))
        #expect(events.all.count == 1)
        let commit = try stored.list.change([.set(ListRow("b"), .last)])
        #expect(throws: ListStoreError.self) { try store.commit(commit, facts: stored.facts, to: "names") }
        #expect(throws: ListStoreError.self) { try store.close() }
        #expect(!FileManager.default.fileExists(atPath: folder.data.seal))
    }

    @Test func whatOthersReadAndBackUpIsNoChange() throws {
        try folder.withStore { store in
            let stored = try store.fill("names", ["a"])
            for _ in 0..<3 {
                let reader = try database()
                _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rows") }
                try reader.close()
                try copy(folder.data.database, to: backup)
                store.look()
            }
            #expect(try store.load("names").epoch == stored.epoch && store.isUnchanged)
        }
    }

    @Test func anotherFileInItsPlaceGetsNoCommitAndNoSeal() throws {
        let store = try SQLiteStore(folder: folder.path, boot: "boot 1")
        let events = News(of: store)
        var stored = try store.fill("names", ["a"])
        try copy(folder.data.database, to: backup)
        #expect(rename(backup, folder.data.database) == 0)
        let replaced = ListStoreError.replaced(path: folder.data.database)
        let commit = try stored.list.change([.set(ListRow("b"), .last)])
        #expect(throws: replaced) { try store.commit(commit, facts: stored.facts, to: "names") }
        store.look()
        #expect(store.fault == replaced && events.all == [.lost(replaced)])
        #expect(try store.load("names").list.keys == ["a"], "what was opened is read on")
        #expect(folder.data.logLength == 0, "our log must not be taken for that of the other file")
        #expect(throws: replaced) { try store.close() }
        #expect(!FileManager.default.fileExists(atPath: folder.data.seal))
        #expect(try folder.withStore { try $0.load("names").epoch } != stored.epoch)
    }

    @Test(arguments: [true, false])
    func whatIsPutBackHealsInNewEpochs(isWholeFolder: Bool) throws {
        try folder.withStore { store in
            var stored = try store.fill("names", ["a"])
            let away = folder.path + (isWholeFolder ? "-away" : "/away")
            let place = isWholeFolder ? folder.path : folder.data.database
            #expect(rename(place, away) == 0)
            store.look()
            #expect(store.fault == .removed(path: folder.data.database))
            let commit = try stored.list.change([.set(ListRow("b"), .last)])
            #expect(throws: ListStoreError.removed(path: folder.data.database)) {
                try store.commit(commit, facts: stored.facts, to: "names")
            }
            #expect(rename(away, place) == 0)
            store.look()
            #expect(store.fault == nil)
            var after = try store.load("names")
            #expect(after.epoch != stored.epoch && after.list.keys == ["a"])
            try store.commit(try after.list.change([.set(ListRow("b"), .last)]), facts: after.facts, to: "names")
        }
        #expect(try folder.withStore { try $0.load("names").list.keys } == ["a", "b"])
    }

    @Test func aLogThatAReaderLetGrowIsCutOnceTheReaderIsGone() throws {
        try folder.withStore { store in
            var stored = try store.load("names")
            let reader = try database()
            let begun = Latch()
            let ended = Latch()
            Thread.detachNewThread {
                #expect(throws: Never.self) {
                    try reader.read { database in
                        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM rows")
                        begun.open()
                        ended.wait()
                    }
                }
                begun.open()
            }
            begun.wait()
            for step in 0..<12 {
                let rows = (0..<100).map { ListRow("k\($0)", title: String(repeating: "\(step % 10)", count: 10_000)) }
                let commit = try #require(try stored.list.replace(with: rows, at: 1))
                try store.commit(commit, facts: stored.facts, to: "names")
            }
            let grown = folder.data.logLength
            #expect(grown > 8 << 20)
            store.look()
            #expect(folder.data.logLength == grown, "somebody reads what is in it")
            ended.open()
            try reader.close()
            store.look()
            #expect(folder.data.logLength == 0)
            #expect(try store.load("names").epoch == stored.epoch)
        }
    }
}

extension SQLiteStore {
    /// Whether a look finds nothing.
    fileprivate var isUnchanged: Bool {
        look()
        return fault == nil
    }
}

/// What a store has told.
private final class News: Sendable {
    private let told = Locked<[StoreEvent]>([])

    init(of store: SQLiteStore) {
        store.onNews { [told] events in told.withLock { $0.append(events) } }
    }

    var all: [StoreEvent] { told.withLock { $0 } }
}

/// Holds up who waits until it is opened.
private final class Latch: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
