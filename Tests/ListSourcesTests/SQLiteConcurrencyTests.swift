import Glibc
import KeyedLists
import Testing

@testable import ListSources
@testable import SQLiteSources

/// A database that others write while it is read.
@Suite(.timeLimit(.minutes(3)))
struct SQLiteConcurrencyTests {
    private static let accounts = """
        CREATE TABLE accounts (name TEXT PRIMARY KEY, amount INTEGER);
        INSERT INTO accounts VALUES ('Ada', 100), ('Grace', 100);
        """
    private static let query = "SELECT name AS key, amount AS title FROM accounts ORDER BY name"

    @Test
    func aLockIsWaitedForAndThenTold() async throws {
        let database = TestDatabase(Self.accounts)
        let writer = database.open()
        writer.run("BEGIN EXCLUSIVE")
        let impatient = SQLiteSource(database.path, query: Self.query, patience: .milliseconds(30))
        let error = await #expect(throws: SourceError.self) { try await impatient.rows(into: TestSink()) }
        #expect(error?.message == "The database is locked by another program.")
        let patient = SQLiteSource(database.path, query: Self.query)
        async let titles = patient.titles()
        writer.run("UPDATE accounts SET amount = 7; COMMIT")
        #expect(try await titles == ["Ada 7", "Grace 7"])
    }

    @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
    func noRunSeesHalfOfATransaction(mode: String) async throws {
        let database = TestDatabase(Self.accounts)
        let writer = database.open()
        writer.run("PRAGMA journal_mode = \(mode); PRAGMA synchronous = OFF")
        let source = SQLiteSource(database.path, query: Self.query)
        async let written: Void = {
            for _ in 0..<200 {
                writer.run(
                    """
                    BEGIN IMMEDIATE; UPDATE accounts SET amount = amount - 1 WHERE name = 'Ada';
                    UPDATE accounts SET amount = amount + 1 WHERE name = 'Grace'; COMMIT
                    """)
                await Task.yield()
            }
        }()
        for _ in 0..<50 {
            let amounts = try await source.run().flatMap(\.self).compactMap { $0.text("title").flatMap { Int($0) } }
            #expect(amounts.reduce(0, +) == 200)
        }
        await written
    }

    @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
    func eachTransactionIsTold(mode: String) async throws {
        let database = TestDatabase(Self.accounts)
        let writer = database.open()
        writer.run("PRAGMA journal_mode = \(mode); UPDATE accounts SET amount = 1")
        let source = SQLiteSource(database.path, query: Self.query)
        var changes = source.changes().makeAsyncIterator()
        for amount in 2...4 {
            writer.run("UPDATE accounts SET amount = \(amount)")
            try #require(await changes.next() != nil)
            #expect(try await source.titles() == ["Ada \(amount)", "Grace \(amount)"])
        }
    }

    @Test
    func aLogIsBeingWrittenUntilItsTransactionIsThere() throws {
        let database = TestDatabase("PRAGMA journal_mode = WAL; \(Self.accounts)")
        let writer = database.open()
        let before = FollowedFile.database.stamps(of: database.path)
        // A small cache spills what is not committed into the log.
        writer.run("PRAGMA cache_size = 1; CREATE TABLE filler (a); BEGIN IMMEDIATE; UPDATE accounts SET amount = 3")
        writer.run("INSERT INTO filler SELECT hex(randomblob(2000)) FROM json_each('[1,2,3,4,5,6,7,8,9]')")
        #expect(FollowedFile.database.stamps(of: database.path) != before)
        #expect(FollowedFile.database.writing(of: database.path) == .unheard)
        writer.run("COMMIT")
        #expect(FollowedFile.database.writing(of: database.path) == .nobody)
    }

    @Test
    func readingTellsNothing() async throws {
        let database = TestDatabase("PRAGMA journal_mode = WAL; \(Self.accounts)")
        let source = SQLiteSource(database.path, query: Self.query)
        let kind = FollowedFile.database
        let before = kind.stamps(of: database.path)
        _ = try await source.titles()
        #expect(kind.stamps(of: database.path) == before, "reading leaves an empty log, which is no change")
    }

    @Test
    func aDatabaseBehindALinkIsFollowed() async throws {
        let database = TestDatabase("PRAGMA journal_mode = WAL; \(Self.accounts)")
        let link = database.path + ".link"
        symlink(database.path, link)
        let source = SQLiteSource(link, query: Self.query)
        var changes = source.changes().makeAsyncIterator()
        let writer = database.open()
        writer.run("UPDATE accounts SET amount = 5")
        try #require(await changes.next() != nil)
        #expect(try await source.titles() == ["Ada 5", "Grace 5"])
    }

    @Test
    func aWriterWhoDiesAmidATransactionIsTold() async throws {
        let database = TestDatabase(Self.accounts)
        let writer = database.open()
        // A small cache spills what is not committed into the file.
        writer.run("PRAGMA cache_size = 1; CREATE TABLE filler (a, b); BEGIN IMMEDIATE; UPDATE accounts SET amount = 3")
        writer.run("INSERT INTO filler SELECT value, hex(randomblob(2000)) FROM json_each('[1,2,3,4,5,6,7,8,9]')")
        #expect(FollowedFile.database.writing(of: database.path) == .heard, "it is told when the transaction is over")
        let copy = TestDatabase()
        for ending in ["", "-journal"] { try copyFile(database.path + ending, copy.path + ending) }
        writer.run("ROLLBACK")
        #expect(FollowedFile.database.writing(of: database.path) == .nobody)
        let impatient = SQLiteSource(copy.path, query: Self.query, patience: .milliseconds(30))
        let error = await #expect(throws: SourceError.self) { try await impatient.rows(into: TestSink()) }
        #expect(error?.message == "The database was left amid a change.")
        // A writer who has only just begun looks the same for a moment.
        let patient = SQLiteSource(copy.path, query: Self.query, patience: .seconds(3600))
        async let titles = patient.titles()
        for _ in 0..<100 { await Task.yield() }
        copy.run("SELECT 1 FROM accounts")
        #expect(try await titles == ["Ada 100", "Grace 100"])
    }

    @Test(arguments: [true, false])
    func aQueryIsBrokenOffWithItsRun(isWaitingForALock: Bool) async throws {
        let database = TestDatabase(Self.accounts)
        let writer = database.open()
        if isWaitingForALock { writer.run("BEGIN EXCLUSIVE") }
        // Counts for ever, without a single row.
        let endless = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS title FROM n, accounts
            """
        let source = SQLiteSource(database.path, query: endless, patience: .seconds(3600))
        let run = Task { try await source.rows(into: TestSink()) }
        await Task.yield()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        if isWaitingForALock { writer.run("COMMIT") }
    }

    @Test
    func rowsComeAsTheQueryGivesThem() async throws {
        let database = TestDatabase(Self.accounts)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS title FROM n"
        let sink = TestSink()
        let source = SQLiteSource(database.path, query: endless, limit: .max)
        let run = Task { try await source.rows(into: sink) }
        var events = sink.events.makeAsyncIterator()
        guard case .rows(let rows)? = await events.next() else {
            Issue.record("Nothing came.")
            return
        }
        run.cancel()
        #expect(rows.first?.text("title") == "1")
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    private func copyFile(_ from: String, _ to: String) throws {
        let source = open(from, O_RDONLY)
        let target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(source >= 0 && target >= 0)
        defer {
            close(source)
            close(target)
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(source, &bytes, bytes.count), count > 0 { _ = write(target, bytes, count) }
    }
}
