import Foundation
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// Copies that are put back after a server was killed, while the machine has not been started again. They are written into
/// the files that are there, so that no inode tells; nor does one where a file system gives a number out again.
@Suite struct RestoredBackupTests {
    private let folder: TemporaryFolder
    private let copy: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        copy = try TemporaryFolder()
    }

    /// Opens a store, puts a row into its list, calls `midway`, puts in another, and loses the store.
    private func loseStore(_ midway: () throws -> Void = {}) throws -> Epoch {
        try folder.withLostStore { store in
            var stored = try store.load("names")
            try store.commit(try stored.list.change([.set(ListRow("a"), .last)]), facts: stored.facts, to: "names")
            try midway()
            try store.commit(try stored.list.change([.set(ListRow("b"), .last)]), facts: stored.facts, to: "names")
            return stored.epoch
        }
    }

    private func copyDatabase() throws {
        try folder.copy(folder.data.database, over: copy.data.database)
        try folder.copy(folder.data.log, over: copy.data.log)
    }

    private func putDatabaseBack() throws {
        try folder.copy(copy.data.database, over: folder.data.database)
        try folder.copy(copy.data.log, over: folder.data.log)
        if FileManager.default.fileExists(atPath: folder.data.database + "-shm") {
            try FileManager.default.removeItem(atPath: folder.data.database + "-shm")
        }
    }

    private func found(boot: String = "boot 1") throws -> StoredList {
        try folder.withStore(boot: boot) { try $0.load("names") }
    }

    @Test func withoutACopyTheEpochStays() throws {
        let epoch = try loseStore()
        let found = try found()
        #expect(found.epoch == epoch && found.list.keys == ["a", "b"])
    }

    @Test func aDatabaseThatLacksWhatWasAcknowledgedLosesIt() throws {
        let epoch = try loseStore(copyDatabase)
        try putDatabaseBack()
        let found = try found()
        #expect(found.epoch != epoch && found.list.keys == ["a"])
    }

    @Test func aDatabaseOfAnEarlierOpeningLosesItThoughItLacksNothing() throws {
        let epoch = try folder.withLostStore { store in
            let epoch = try store.fill("names", ["a"]).epoch
            try copyDatabase()
            return epoch
        }
        try folder.withLostStore { _ in }
        try putDatabaseBack()
        let found = try found()
        #expect(found.epoch != epoch && found.list.keys == ["a"])
    }

    @Test func aDatabaseFromBeforeANewEpochLosesIt() throws {
        let epoch = try folder.withLostStore { store in
            let epoch = try store.fill("names", ["a"]).epoch
            try copyDatabase()
            _ = try store.renewEpoch(of: "names")
            return epoch
        }
        try putDatabaseBack()
        #expect(try found().epoch != epoch)
    }

    /// The lock is put back too, a minute after it was copied: its mark agrees with the database, but not with the file.
    @Test func aWholeFolderLosesIt() throws {
        let epoch = try loseStore {
            try copyDatabase()
            try folder.copy(folder.data.lock, over: copy.data.lock)
        }
        try putDatabaseBack()
        var lines = try String(contentsOfFile: copy.data.lock, encoding: .utf8).components(separatedBy: "\n")
        let mark = try #require(OpeningRecord(lines[1]))
        lines[1] = "\(OpeningRecord(token: mark.token, tally: mark.tally, date: mark.date - 60_000))"
        try lines.joined(separator: "\n").write(toFile: folder.data.lock, atomically: false, encoding: .utf8)
        let found = try found()
        #expect(found.epoch != epoch && found.list.keys == ["a"])
    }

    @Test func withoutTheLockItIsLost() throws {
        let epoch = try loseStore()
        try FileManager.default.removeItem(atPath: folder.data.lock)
        #expect(try found().epoch != epoch)
    }

    @Test func aRefusedOpeningLeavesTheMarkInForce() throws {
        let epoch = try loseStore()
        let database = try Data(contentsOf: URL(fileURLWithPath: folder.data.database))
        let file = try #require(FileHandle(forUpdatingAtPath: folder.data.database))
        try file.write(contentsOf: Data("nonsense".utf8))
        #expect(throws: ListStoreError.self) { try found() }
        try file.seek(toOffset: 0)
        try file.write(contentsOf: database.prefix(100))
        try file.close()
        #expect(try found().epoch == epoch)
    }
}
