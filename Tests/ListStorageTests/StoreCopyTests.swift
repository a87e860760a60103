import Foundation
import GRDB
import KeyedLists
import Testing

@testable import ListStorage
@testable import PostgresStorage
@testable import SQLiteStorage

/// Lists go from a store to another whole, or not at all.
@Suite struct StoreCopyTests {
    /// A store of one kind: how it is written, and how it is read beside that.
    private struct Kind {
        let store: any ListStore
        /// Nil: a folder.
        let url: String?
        let reader: () async throws -> any StoreReader
    }

    private let folders: [TemporaryFolder]

    init() throws { folders = [try TemporaryFolder(), try TemporaryFolder()] }

    private func kinds(_ folder: TemporaryFolder) throws -> [Kind] {
        let disk = Kind(store: try SQLiteStore(folder: folder.path), url: nil) {
            try SQLiteStoreReader(folder: folder.path, isAlone: false)
        }
        guard let url = TestDatabase.shared?.makeDatabase() else { return [disk] }
        return [disk, Kind(store: try PostgresStore(url), url: url) { try await PostgresStoreReader(url) }]
    }

    /// Copies the list "names" of a store as it is now.
    private func copy(_ source: Kind, to target: any ListStore, isReplacing: Bool = false) async throws
        -> StoreCopy.Outcome?
    {
        let reader = try await source.reader()
        do {
            let outcome = try await StoreCopy(from: reader, to: target, isReplacing: isReplacing).copy("names")
            await reader.close()
            return outcome
        } catch {
            await reader.close()
            throw error
        }
    }

    @Test func everyStoreCopiesAListToEveryOther() async throws {
        for source in try kinds(folders[0]) {
            let given = try source.store.sample("names")
            for target in try kinds(try TemporaryFolder()) {
                #expect(try await copy(source, to: target.store) == .copied(rows: 2))
                let found = try target.store.load("names")
                #expect(found.list.placed == given.list.placed && found.list.digest == given.list.digest)
                #expect(found.epoch != given.epoch && found.list.revision > given.list.revision)
                #expect(found.facts == given.facts && found.actionRuns == given.actionRuns)
                #expect(found.unread == given.unread)
                let again = try source.store.load("names")
                #expect(again.epoch == given.epoch && again.list.revision == given.list.revision)
            }
        }
    }

    @Test func aListThatIsThereAlreadyIsLeftAsItIs() async throws {
        for source in try kinds(folders[0]) {
            try source.store.sample("names")
            for target in try kinds(try TemporaryFolder()) {
                _ = try await copy(source, to: target.store)
                let epoch = try target.store.load("names").epoch
                for isReplacing in [false, true] {
                    #expect(try await copy(source, to: target.store, isReplacing: isReplacing) == .present(rows: 2))
                }
                #expect(try target.store.load("names").epoch == epoch)
            }
        }
    }

    @Test func rowsOfAListThatExistsAreReplacedOnlyWhereThatIsAskedFor() async throws {
        for source in try kinds(folders[0]) {
            let given = try source.store.sample("names")
            let target = MemoryStore()
            let former = try target.fill("names", ["x", "y", "z"])
            #expect(try await copy(source, to: target) == .occupied(rows: 3))
            #expect(try target.load("names").list.placed == former.list.placed)
            #expect(try await copy(source, to: target, isReplacing: true) == .copied(rows: 2))
            #expect(try target.load("names").list.placed == given.list.placed)
        }
    }

    @Test func whatIsRememberedBesideTheRowsReplacesWhatIsThereOnlyWhereThatIsAskedFor() async throws {
        for source in try kinds(folders[0]) {
            let given = try source.store.sample("names")
            let target = MemoryStore()
            _ = try await copy(source, to: target)
            var facts = given.facts
            facts.unread = [StoredUnread(person: "ada", keys: [9])]
            try target.note(facts, of: "names")
            #expect(try await copy(source, to: target) == .present(rows: 2))
            #expect(try target.load("names").unread.first?.keys == [9])
            #expect(try await copy(source, to: target, isReplacing: true) == .copied(rows: 2))
            #expect(try target.load("names").unread == given.unread)
        }
    }

    @Test func aListWithoutRowsTakesWhatIsRememberedWithIt() async throws {
        for source in try kinds(folders[0]) {
            _ = try source.store.load("names")
            try source.store.note(StoredFacts(runs: 4, updatedAt: 5), of: "names")
            let target = MemoryStore()
            #expect(try await copy(source, to: target) == .copied(rows: 0))
            #expect(try target.load("names").facts == StoredFacts(runs: 4, updatedAt: 5))
        }
    }

    @Test func aDamagedListIsNamedWithItsKeyAndNothingOfItIsWritten() async throws {
        for source in try kinds(folders[0]) {
            try source.store.fill("names", ["a", "b"])
            try damage(source)
            let target = MemoryStore()
            let error = await #expect(throws: ListStoreError.self) { try await copy(source, to: target) }
            #expect("\(try #require(error))".contains("the row \"b\" does not fit its checksum"))
            #expect(try target.load("names").list.revision == 0)
            let reader = try await source.reader()
            let report = try await StoreReport(of: reader)
            #expect(report.faultCount == 1 && report.lists.map(\.name) == ["names"])
            await reader.close()
        }
    }

    private func damage(_ source: Kind) throws {
        if let url = source.url {
            TestDatabase.shared?.sql("UPDATE refreshable.rows SET fields = '{}' WHERE key = 'b'", in: url)
        } else {
            let editor = try DatabaseQueue(path: folders[0].data.database)
            try editor.write {
                try $0.execute(sql: "UPDATE rows SET fields = CAST('{}' AS BLOB) WHERE key = CAST('b' AS BLOB)")
            }
            try editor.close()
        }
    }

    @Test func aListThatIsNotThereIsNone() async throws {
        for source in try kinds(folders[0]) {
            try source.store.fill("other", ["a"])
            #expect(try await copy(source, to: MemoryStore()) == nil)
        }
    }

    // MARK: Folders

    @Test func aFolderThatAServerUsesIsNotReadAsOneThatNobodyUses() throws {
        try folders[0].withStore { store in
            try store.fill("names", ["a"])
            #expect(throws: ListStoreError.locked(folder: folders[0].path, process: getpid())) {
                try SQLiteStoreReader(folder: folders[0].path, isAlone: true)
            }
        }
    }

    @Test func noServerUsesAFolderThatIsRead() throws {
        try folders[0].withStore { try $0.fill("names", ["a"]) }
        let reader = try SQLiteStoreReader(folder: folders[0].path, isAlone: true)
        #expect(throws: ListStoreError.self) { try SQLiteStore(folder: folders[0].path) }
        reader.close()
        #expect(try folders[0].withStore { try $0.load("names").list.keys } == ["a"])
    }

    @Test func readingAFolderChangesNothingThatAServerVouchesBy() throws {
        let epoch = try folders[0].withStore { try $0.fill("names", ["a"]).epoch }
        let reader = try SQLiteStoreReader(folder: folders[0].path, isAlone: true)
        #expect(try reader.names() == ["names"])
        #expect(try reader.read("names")?.list.keys == ["a"])
        reader.close()
        #expect(try folders[0].withStore { try $0.load("names").epoch } == epoch)
    }

    @Test func aBackupWithoutALockIsRead() throws {
        try folders[0].withStore { try $0.fill("names", ["a"]) }
        try folders[0].copy(folders[0].data.database, over: folders[1].data.database)
        let reader = try SQLiteStoreReader(folder: folders[1].path, isAlone: true)
        #expect(try reader.read("names")?.list.keys == ["a"])
        reader.close()
    }

    // MARK: Databases

    @Test(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
    func aDatabaseWithoutListsIsNamedAndGetsNoTables() async throws {
        let url = try #require(TestDatabase.shared?.makeDatabase())
        for _ in 1...2 {
            let error = await #expect(throws: ListStoreError.self) { _ = try await PostgresStoreReader(url) }
            #expect("\(try #require(error))".contains("no server has kept lists there"))
        }
    }

    @Test(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
    func aDatabaseOfAnotherVersionIsNotRead() async throws {
        let url = try #require(TestDatabase.shared?.makeDatabase())
        try PostgresStore(url).close()
        for version in [0, 99] {
            TestDatabase.shared?.sql("UPDATE refreshable.store SET version = \(version)", in: url)
            await #expect(throws: ListStoreError.self) { _ = try await PostgresStoreReader(url) }
        }
    }

    @Test(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
    func readingADatabaseWritesNothingThere() async throws {
        let url = try #require(TestDatabase.shared?.makeDatabase())
        let store = try PostgresStore(url)
        let kept = try store.fill("names", ["a"])
        // A server would give the list a new epoch now.
        TestDatabase.shared?.sql("UPDATE refreshable.lists SET identity = ''", in: url)
        let reader = try await PostgresStoreReader(url)
        #expect(try await reader.read("names")?.epoch == kept.epoch)
        #expect(try await reader.read("names")?.list.revision == 1)
        await reader.close()
    }

    @Test(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
    func whatFailsAmidItsRowsHasChangedNothing() async throws {
        let url = try #require(TestDatabase.shared?.makeDatabase())
        let store = try PostgresStore(url)
        let former = try store.fill("names", ["x", "y"])
        let other = try MemoryStore().fill("names", (0..<2500).map { "k\($0)" })
        TestDatabase.shared?.sql("ALTER TABLE refreshable.rows ADD CHECK (key <> 'k2499')", in: url)
        #expect(throws: ListStoreError.self) { try store.replace("names", with: other) }
        let found = try store.load("names")
        #expect(found.list.placed == former.list.placed && found.epoch == former.epoch)
    }
}
