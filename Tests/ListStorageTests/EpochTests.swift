import Foundation
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// When a list keeps its epoch over a restart, on real files. Rows are kept in any case.
@Suite struct EpochTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fill(_ store: SQLiteStore) throws -> Epoch {
        try store.fill("names", ["a", "b"]).epoch
    }

    /// Whether the list is in that epoch; and that it has its rows.
    private func isKept(_ epoch: Epoch, boot: String? = "boot 1", in other: TemporaryFolder? = nil) throws -> Bool {
        try (other ?? folder).withStore(boot: boot) { store in
            let stored = try store.load("names")
            #expect(stored.list.keys == ["a", "b"])
            #expect(stored.isRestored == (stored.epoch == epoch))
            #expect(try store.load("names").epoch == stored.epoch)
            return stored.epoch == epoch
        }
    }

    @Test func aCleanCloseKeepsIt() throws {
        let epoch = try folder.withStore(fill)
        #expect(FileManager.default.fileExists(atPath: folder.data.seal))
        #expect(!folder.data.hasLog)
        #expect(try isKept(epoch))
    }

    @Test func aCleanCloseKeepsItOverAnotherStartOfTheMachine() throws {
        let epoch = try folder.withStore(fill)
        #expect(try isKept(epoch, boot: "boot 2"))
        #expect(try isKept(epoch, boot: nil))
    }

    @Test func theSealIsGoneWhileTheStoreIsOpen() throws {
        try folder.withStore(fill)
        try folder.withStore { _ in #expect(!FileManager.default.fileExists(atPath: folder.data.seal)) }
    }

    @Test func aStoreThatWasNotClosedKeepsItWithinOneBoot() throws {
        let epoch = try folder.withLostStore(fill)
        #expect(try isKept(epoch))
    }

    @Test(arguments: ["boot 2", nil] as [String?])
    func aStoreThatWasNotClosedLosesItInAnotherBoot(boot: String?) throws {
        let epoch = try folder.withLostStore(fill)
        #expect(try !isKept(epoch, boot: boot))
    }

    @Test func aStoreThatNeverKnewItsBootLosesItUnlessClosed() throws {
        let epoch = try folder.withLostStore(boot: nil, fill)
        #expect(try !isKept(epoch, boot: nil))
    }

    @Test func aFileTouchedAfterTheCloseLosesIt() throws {
        let epoch = try folder.withStore(fill)
        #expect(chmod(folder.data.database, 0o600) == 0)
        #expect(try !isKept(epoch))
    }

    @Test func aBackupPutBackInPlaceLosesIt() throws {
        let epoch = try folder.withStore(fill)
        let backup = folder.path + "/backup"
        try folder.copy(folder.data.database, over: backup)
        try folder.withStore { _ in }
        try folder.copy(backup, over: folder.data.database)
        #expect(try !isKept(epoch))
    }

    @Test func aCopyLosesItEvenWithItsSeal() throws {
        let epoch = try folder.withStore(fill)
        let other = try TemporaryFolder()
        try folder.copy(folder.data.database, over: other.data.database)
        try folder.copy(folder.data.seal, over: other.data.seal)
        #expect(try !isKept(epoch, in: other))
        #expect(try isKept(epoch))
    }

    @Test func aCopyOfAnOpenStoreLosesIt() throws {
        let other = try TemporaryFolder()
        let epoch = try folder.withStore { store in
            let epoch = try fill(store)
            try folder.copy(folder.data.database, over: other.data.database)
            try folder.copy(folder.data.log, over: other.data.log)
            return epoch
        }
        #expect(try !isKept(epoch, in: other))
    }

    @Test func withoutItsSealAClosedStoreLosesIt() throws {
        let epoch = try folder.withStore(fill)
        try FileManager.default.removeItem(atPath: folder.data.seal)
        #expect(try !isKept(epoch))
    }

    @Test(arguments: ["", "nonsense", "1 2"])
    func aSealThatCannotBeReadIsNone(text: String) throws {
        let epoch = try folder.withStore(fill)
        try text.write(toFile: folder.data.seal, atomically: false, encoding: .utf8)
        #expect(try !isKept(epoch))
    }

    @Test func eachListGetsAnEpochOfItsOwnAndKeepsItFromThenOn() throws {
        let before = try folder.withLostStore { store in
            [try store.fill("a", ["1"]).epoch, try store.fill("b", ["1"]).epoch]
        }
        let after = try folder.withStore(boot: "boot 2") { [try $0.load("a").epoch, try $0.load("b").epoch] }
        let later = try folder.withStore(boot: "boot 3") { [try $0.load("a").epoch, try $0.load("b").epoch] }
        #expect(Set(before + after).count == 4)
        #expect(later == after)
    }

    @Test func anEpochOfThisProcessIsNotRestoredUntilTheNext() throws {
        let isRestored = try folder.withStore { try $0.fill("names", ["a"]).isRestored }
        #expect(!isRestored)
        try folder.withStore { store in
            #expect(try store.load("names").isRestored)
            #expect(try !store.load("new").isRestored)
            _ = try store.renewEpoch(of: "names")
            #expect(try !store.load("names").isRestored)
        }
        #expect(try folder.withStore { try $0.load("names").isRestored })
    }
}
