import Foundation
import GRDB
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// Files of earlier versions are brought up to date when they are opened.
@Suite struct MigrationTests {
    private let folder: TemporaryFolder
    private let epoch = Epoch(0x0123_4567_89AB_CDEF)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file as version 1 wrote it, word for word; never to be changed with the code.
    private func writeVersion1(isClosed: Bool) throws {
        let queue = try DatabaseQueue(path: folder.data.database)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(
                sql: """
                    CREATE TABLE openings (
                        only INTEGER PRIMARY KEY CHECK (only = 1),
                        boot TEXT, inode INTEGER NOT NULL, isClosed INTEGER NOT NULL);
                    CREATE TABLE lists (
                        id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, epoch INTEGER NOT NULL,
                        revision INTEGER NOT NULL, floor INTEGER NOT NULL, runs INTEGER NOT NULL,
                        updatedAt INTEGER, staleSince INTEGER, lastRun BLOB);
                    CREATE TABLE rows (
                        list INTEGER NOT NULL, key BLOB NOT NULL, position INTEGER NOT NULL,
                        fieldsRevision INTEGER NOT NULL, positionRevision INTEGER NOT NULL, fields BLOB NOT NULL,
                        PRIMARY KEY (list, key)) WITHOUT ROWID;
                    CREATE TABLE tombstones (
                        list INTEGER NOT NULL, key BLOB NOT NULL, revision INTEGER NOT NULL, removedAt INTEGER NOT NULL,
                        PRIMARY KEY (list, key)) WITHOUT ROWID;
                    PRAGMA application_id = 1382435955;
                    PRAGMA user_version = 1;
                    INSERT INTO lists VALUES
                        (1, CAST('names' AS BLOB), 81985529216486895, 3, 0, 7, 1790000000000, NULL, CAST('{}' AS BLOB));
                    INSERT INTO rows VALUES
                        (1, CAST('a' AS BLOB), 4503599627370496, 1, 1, CAST('{"title":"A"}' AS BLOB)),
                        (1, CAST('b' AS BLOB), 4503600701112320, 2, 2, CAST('{"title":"B"}' AS BLOB));
                    INSERT INTO tombstones VALUES (1, CAST('z' AS BLOB), 3, 5);
                    """)
            let stamp = try #require(try FileStamp(of: folder.data.database))
            try database.execute(
                sql: "INSERT INTO openings VALUES (1, 'boot 1', ?, ?)", arguments: [Int64(stamp.inode), isClosed])
            _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        if isClosed { try folder.data.writeSeal(of: FileIdentity(of: folder.data.database)) }
    }

    private func expectTheList(_ stored: StoredList) {
        #expect(stored.list.keys == ["a", "b"])
        #expect(stored.list.revision == 3)
        #expect(stored.list.patch(since: 2)?.remove == ["z"])
        #expect(stored.facts == StoredFacts(runs: 7, updatedAt: 1_790_000_000_000, lastRun: Array("{}".utf8)))
    }

    @Test func aFileOfVersion1IsOpenedAndKeepsItsEpoch() throws {
        try writeVersion1(isClosed: true)
        try folder.withStore(boot: "boot 2") { store in
            var stored = try store.load("names")
            expectTheList(stored)
            #expect(stored.epoch == epoch && stored.isRestored)
            try store.commit(try stored.list.change([.set(ListRow("c"), .last)]), facts: stored.facts, to: "names")
        }
        let later = try folder.withStore(boot: "boot 2") { try $0.load("names") }
        #expect(later.epoch == epoch && later.list.keys == ["a", "b", "c"])
    }

    @Test func aListGetsItsChecksumsWhenItIsFirstWritten() throws {
        try writeVersion1(isClosed: true)
        try folder.withStore { store in
            var stored = try store.load("names")
            #expect(try checksums() == [nil, nil, nil])
            try store.commit(try stored.list.change([.set(ListRow("c"), .last)]), facts: stored.facts, to: "names")
            #expect(try checksums().count == 4 && !checksums().contains(nil))
        }
        #expect(try folder.withStore { try $0.load("names").list.keys } == ["a", "b", "c"])
    }

    @Test(arguments: ["{\"title\":\"B\"", "{\"title\": \"B\"}", "[1]", ""])
    func aRowWithoutChecksumThatIsNoJSONOfOursIsGivenToNobody(fields: String) throws {
        try writeVersion1(isClosed: true)
        let queue = try DatabaseQueue(path: folder.data.database)
        try queue.write {
            try $0.execute(
                sql: "UPDATE rows SET fields = ? WHERE key = CAST('b' AS BLOB)", arguments: [Data(fields.utf8)])
        }
        try queue.close()
        try folder.withStore { store in
            let error = #expect(throws: ListStoreError.self) { try store.load("names") }
            let text = "\(try #require(error))"
            #expect(text.contains("\"b\""))
        }
    }

    private func checksums() throws -> [Int?] {
        let queue = try DatabaseQueue(path: folder.data.database)
        defer { #expect(throws: Never.self) { try queue.close() } }
        return try queue.read { database in
            try GRDB.Row.fetchAll(
                database, sql: "SELECT checksum FROM rows UNION ALL SELECT checksum FROM tombstones"
            ).map { $0[0] as Int? }
        }
    }

    @Test func oneThatWasNotClosedHasNoMarkToVouchForIt() throws {
        try writeVersion1(isClosed: false)
        let stored = try folder.withStore(boot: "boot 1") { try $0.load("names") }
        expectTheList(stored)
        #expect(stored.epoch != epoch)
    }

    @Test func aFileBroughtUpToDateHasTheTablesOfANewOne() throws {
        try writeVersion1(isClosed: true)
        try folder.withStore { _ in }
        let new = try TemporaryFolder()
        try new.withStore { _ in }
        #expect(try tables(folder) == tables(new))
    }

    private func tables(_ folder: TemporaryFolder) throws -> [String] {
        let queue = try DatabaseQueue(path: folder.data.database)
        defer { #expect(throws: Never.self) { try queue.close() } }
        return try queue.read { database in
            try ["PRAGMA user_version", "PRAGMA application_id"].map { "\(try Int.fetchOne(database, sql: $0) ?? 0)" }
                + ["openings", "lists", "rows", "tombstones"].flatMap { table in
                    try String.fetchAll(database, sql: "SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
                }
        }
    }
}
