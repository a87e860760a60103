import Foundation
import KeyedLists
import Synchronization
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// What is refused when a store is opened, and what people are told.
@Suite struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func refusal(_ path: String? = nil) -> ListStoreError? {
        #expect(throws: ListStoreError.self) { try SQLiteStore(folder: path ?? folder.path) }
    }

    private func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    @Test func aSecondServerIsRefusedWithTheFirstOnesProcess() throws {
        try folder.withStore { _ in
            let error = refusal()
            #expect(error == .locked(folder: folder.path, process: getpid()))
            #expect(
                error?.description
                    == "Cannot open the data folder \(folder.path): process \(getpid()) is using it. "
                    + "Stop it, or choose another folder.")
        }
        try folder.withStore { _ in }
    }

    @Test func theRefusedServerLeavesTheFirstOneAndItsSealAlone() throws {
        let epoch = try folder.withStore { store in
            let epoch = try store.fill("names", ["a"]).epoch
            _ = refusal()
            return epoch
        }
        #expect(try folder.withStore { try $0.load("names").epoch } == epoch)
    }

    @Test func aRefusalClosesNothingThatIsNotItsOwn() throws {
        let lost = Atomic(0)
        try folder.withStore { _ in
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                for _ in 1...10_000 {
                    if number == 0 {
                        _ = refusal()
                    } else if close(open("/dev/null", O_RDONLY | O_CLOEXEC)) != 0 {
                        lost.add(1, ordering: .relaxed)
                    }
                }
            }
        }
        #expect(lost.load(ordering: .relaxed) == 0)
    }

    @Test func anotherProcessIsRefusedToo() async throws {
        let path = folder.path
        let store = try SQLiteStore(folder: path)
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String, holder = getpid() as Int32] in
            do {
                _ = try SQLiteStore(folder: path)
            } catch ListStoreError.locked(folder: path, process: holder) {
                exit(7)
            }
        }
        try store.close()
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() throws {
        let path = folder.path + "/file"
        try "".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(refusal(path) == .cannotOpen(path: path, reason: "there is a file of that name, not a folder"))
        #expect(refusal(path + "/data") != nil)
    }

    @Test(arguments: ["hello", String(repeating: "hello ", count: 100)])
    func aFileThatIsNoDatabaseIsRefusedAndLeftAlone(text: String) throws {
        try text.write(toFile: folder.data.database, atomically: false, encoding: .utf8)
        #expect(refusal() == .notAStore(path: folder.data.database, reason: "it is not a database"))
        #expect(try String(contentsOfFile: folder.data.database, encoding: .utf8) == text)
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone() throws {
        try folder.withStore { try $0.fill("names", ["a"]) }
        try overwrite(folder.data.database, at: 68, with: [0, 0, 0, 0])
        let stamp = try FileStamp(of: folder.data.database)
        #expect(refusal() == .notAStore(path: folder.data.database, reason: "it is a database of another program"))
        #expect(try FileStamp(of: folder.data.database) == stamp)
    }

    @Test func aFileThatWasLeftEmptyIsTakenUp() throws {
        try "".write(toFile: folder.data.database, atomically: false, encoding: .utf8)
        #expect(try folder.withStore { try $0.load("names").list.isEmpty })
    }

    @Test func aLaterVersionIsRefusedAndLeftAlone() throws {
        try folder.withStore { try $0.fill("names", ["a"]) }
        try overwrite(folder.data.database, at: 60, with: [0, 0, 0, 9])
        let seal = folder.data.readSeal()
        let error = refusal()
        #expect(error == .newerVersion(path: folder.data.database, found: 9, known: 5))
        #expect(
            error?.description
                == "Cannot open \(folder.data.database): it is of version 9, and this program knows versions up to 5. "
                + "Use the newer program, or another store.")
        #expect(folder.data.readSeal() == seal)
    }

    @Test(arguments: [true, false])
    func aDamagedPageTakesOutTheListThatIsOnItAndNoOther(isClosed: Bool) throws {
        let fill: (SQLiteStore) throws -> Void = { store in
            try store.fill("names", (0..<500).map { "key \($0)" })
            try store.fill("other", ["a"])
        }
        if isClosed { try folder.withStore(fill) } else { try folder.withLostStore(fill) }
        // A page of rows of the first list; those of the other are sound.
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.data.database))
        let row = try #require(file.range(of: Data("key 250".utf8))?.lowerBound)
        try overwrite(folder.data.database, at: row / 4096 * 4096, with: Array(repeating: 0xFF, count: 4096))
        let store = try SQLiteStore(folder: folder.path, boot: "boot 1")
        for _ in 1...2 {
            let error = #expect(throws: ListStoreError.self) { try store.load("names") }
            guard case .damaged(folder.data.database, "names", _) = error else {
                Issue.record("expected damaged, got \(String(describing: error))")
                return
            }
            #expect(try store.load("other").list.keys == ["a"])
        }
    }

    @Test func aFolderThatCannotBeWrittenIsReadOnly() throws {
        try MountedFolder.with(size: "1m", thenReadOnly: true) { path in
            let error = refusal(path)
            #expect(error == .readOnly(path: path))
        }
    }

    @Test func aFullDiskFailsTheCommitAndLosesNothing() throws {
        try MountedFolder.with(size: "600k") { path in
            let store = try SQLiteStore(folder: path)
            var stored = try store.fill("names", ["a", "b"])
            let filler = path + "/filler"
            try Data(count: 380_000).write(to: URL(fileURLWithPath: filler))
            var list = stored.list
            let big = ListRow("big", title: String(repeating: "x", count: 300_000))
            let commit = try list.change([.set(big, .first)], at: 2)
            #expect(throws: ListStoreError.diskFull(path: path + "/lists.sqlite")) {
                try store.commit(commit, facts: StoredFacts(runs: 5), to: "names")
            }
            #expect(try store.load("names").facts.runs == 0)
            #expect(try store.load("names").list.keys == ["a", "b"])
            // Emptied, not removed: a process that another test has started meanwhile may hold it open.
            #expect(truncate(filler, 0) == 0)
            let small = try stored.list.change([.set(ListRow("c"), .last)], at: 3)
            try store.commit(small, facts: StoredFacts(), to: "names")
            #expect(try store.load("names").list.keys == ["a", "b", "c"])
            try store.close()
        }
    }

    @Test(arguments: [
        (EROFS, ListStoreError.readOnly(path: "p")), (EACCES, .readOnly(path: "p")), (ENOSPC, .diskFull(path: "p")),
        (EIO, .cannotOpen(path: "p", reason: "Input/output error")),
    ])
    func errorsOfTheSystemHaveNames(number: Int32, error: ListStoreError) {
        #expect(ListStoreError(number, path: "p") == error)
    }
}
