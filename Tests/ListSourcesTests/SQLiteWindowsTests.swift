import KeyedLists
import Locking
import Testing

@testable import ListSources
@testable import SQLiteSources

/// Windows of a real table, beside the rows that SQLite gives of it in one piece.
struct SQLiteWindowsTests {
    private static let count = 3000
    private static let query = "SELECT id AS key, text AS title, stars FROM log"

    private let database = TestDatabase(
        """
        CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER);
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
        INSERT INTO log SELECT n * 10, 'Row ' || n || CASE n % 7 WHEN 0 THEN ' Thé' ELSE '' END, n * 7919 % 100 FROM numbers;
        CREATE INDEX log_by_stars ON log (stars, id);
        """)

    private func windows(_ order: [String] = [], query: String = query) -> SQLiteWindows {
        SQLiteWindows(database.path, query: query, by: order)
    }

    private func keys(_ order: String) async throws -> [String] {
        let all = SQLiteSource(database.path, query: "\(Self.query) ORDER BY \(order)")
        return try await all.run().flatMap(\.self).map(\.key.string)
    }

    @Test(
        arguments: [
            ([], "key"), (["-key"], "key DESC"), (["stars"], "stars, key"), (["-stars"], "stars DESC, key DESC"),
            (["-stars", "key"], "stars DESC, key"), (["stars", "-title"], "stars, title DESC, key DESC"),
        ] as [([String], String)])
    func anyPartIsReadAsItIsInTheWhole(order: [String], asWritten: String) async throws {
        let (windows, keys) = (windows(order), try await keys(asWritten))
        for first in [0, 1, 1023, 1024, 1025, 2047, 2500, 2990] {
            let read = try #require(try await windows.whole(.first(first, count: 40), of: RowQuery()))
            #expect(read.rows.map(\.key.string) == Array(keys.dropFirst(first).prefix(40)), "from \(first)")
            #expect(read.place == WindowPlace(first: first, total: Self.count))
        }
        for index in [0, 5, 1023, 1024, 1500, 2999] {
            let read = try await windows.rows(in: .around(Key(keys[index]), before: 10, after: 20), of: RowQuery())
            let place = max(0, index - 10)
            #expect(read?.rows.map(\.key.string) == Array(keys[place..<min(Self.count, index + 21)]), "around \(index)")
            #expect(read?.first == place)
        }
        let last = try await windows.rows(in: .last(30), of: RowQuery())
        #expect(last?.rows.map(\.key.string) == keys.suffix(30))
        #expect(last?.first == Self.count - 30)
    }

    @Test
    func whatIsBeyondTheTableIsEmpty() async throws {
        let read = try #require(try await windows().rows(in: .first(9000, count: 10), of: RowQuery()))
        #expect(read.rows.isEmpty && read.place == WindowPlace(first: Self.count, total: Self.count))
    }

    @Test
    func aRowThatIsNotThereIsNoPlaceUnlessAnIndexIsGiven() async throws {
        #expect(try await windows().rows(in: .around("11", before: 1, after: 1), of: RowQuery()) == nil)
        let read = try await windows().rows(in: .around("11", before: 1, after: 1, orAt: 7), of: RowQuery())
        #expect(read?.rows.map(\.key.string) == ["70", "80", "90"])
    }

    @Test(arguments: ["' OR 1 --", "'\u{301} OR 1 --", "\u{0}' OR 1 --", "'' OR 1 --", "\\' OR 1 --"])
    func aKeyIsNeverReadAsSQL(key: String) async throws {
        #expect(try await windows().rows(in: .around(Key(key), before: 1, after: 1), of: RowQuery()) == nil)
        let named = TestDatabase("CREATE TABLE log (id TEXT)")
        named.open().insert(1, "INSERT INTO log SELECT ?2 WHERE ?1 IS NOT NULL") { _ in key }
        let rows = SQLiteWindows(named.path, query: "SELECT id AS key, 1 AS title FROM log")
        guard !key.utf8.contains(0) else { return }
        let read = try await rows.rows(in: .around(Key(key), before: 1, after: 1), of: RowQuery())
        #expect(read?.rows.map(\.key) == [Key(key)])
    }

    @Test
    func whatComesIsCountedAtTheNextRun() async throws {
        let windows = windows(["-key"])
        _ = try await windows.rows(in: .first(0, count: 1), of: RowQuery())
        database.run("INSERT INTO log (id, text) VALUES (90000, 'New')")
        try await windows.prepare { _, _, _ in }
        let top = try await windows.rows(in: .first(0, count: 1), of: RowQuery())
        #expect(top == WindowRows([ListRow("90000", title: "New")], first: 0, total: Self.count + 1))
        let deep = try await windows.rows(in: .around("10000", before: 0, after: 0), of: RowQuery())
        #expect(deep?.first == Self.count - 1000 + 1)
    }

    @Test
    func whoLooksAtTheFirstRowsSeesThemBeforeAllAreCounted() async throws {
        addRows(upTo: 300_000)
        let windows = windows()
        let first = try #require(try await windows.rows(in: .first(0, count: 2), of: RowQuery()))
        let again = try #require(try await windows.whole(.first(0, count: 2), of: RowQuery()))
        #expect(first.isSearching && first.rows.map(\.key) == ["10", "20"])
        #expect(first.total < again.total && again.total == Self.count + 290_001 && again.rows == first.rows)
    }

    @Test
    func whileAllAreCountedAnewWindowsAreReadByTheOldCount() async throws {
        addRows(upTo: 300_000)
        let (windows, isOver) = (windows(), Locked(false))
        try await windows.prepare { _, _, _ in }
        let before = try #require(try await windows.rows(in: .first(200_000, count: 2), of: RowQuery()))
        database.run("DELETE FROM log WHERE id < 1000")
        async let renewal: Void = {
            try await windows.prepare { _, _, _ in }
            isOver.withLock { $0 = true }
        }()

        let meanwhile = try await windows.rows(in: .first(200_000, count: 2), of: RowQuery())

        #expect(meanwhile == before && !isOver.withLock(\.self))
        try await renewal
        let after = try #require(try await windows.rows(in: .first(200_000, count: 2), of: RowQuery()))
        #expect(after.total == before.total - 99 && after.rows != before.rows)
    }

    /// Adds rows after a gap, with keys of up to ten times a number.
    private func addRows(upTo count: Int) {
        database.run(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 10000 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO log SELECT n * 10, 'Row', 0 FROM numbers
            """)
    }

    @Test
    func wordsAreFoundWithoutCaseAndAccents() async throws {
        let windows = windows(["-key"])
        let query = try RowQuery(find: "the ROW", filter: [], sort: [])
        let read = try #require(try await windows.whole(.first(100, count: 3), of: query))
        #expect(read.place == WindowPlace(first: 100, total: 428))
        #expect(read.rows.map(\.title) == ["Row 2296 Thé", "Row 2289 Thé", "Row 2282 Thé"])
        let none = try await windows.rows(
            in: .first(0, count: 3), of: try RowQuery(find: "nobody", filter: [], sort: []))
        #expect(none == WindowRows([], first: 0, total: 0))
    }

    @Test
    func whoLooksFirstIsToldTheFirstAndThenAllOfIt() async throws {
        let (windows, tea) = (windows(), try RowQuery(find: "the", filter: [], sort: []))
        let first = try await windows.rows(in: .first(1, count: 2), of: tea)
        #expect(first?.place == WindowPlace(first: 1, total: 3, isSearching: true))
        #expect(first?.rows.map(\.title) == ["Row 14 Thé", "Row 21 Thé"])
        let again = try await windows.whole(.first(1, count: 2), of: tea)
        #expect(again?.place == WindowPlace(first: 1, total: 428) && again?.rows == first?.rows)
    }

    @Test
    func whoLooksElsewhereWaitsForAllOfIt() async throws {
        let (windows, tea) = (windows(), try RowQuery(find: "the", filter: [], sort: []))
        _ = try await windows.rows(in: .first(0, count: 2), of: tea)
        let around = try await windows.rows(in: .around("20580", before: 1, after: 0), of: tea)
        #expect(around?.place == WindowPlace(first: 292, total: 428))
        #expect(around?.rows.map(\.key) == ["20510", "20580"])
        #expect(try await windows.rows(in: .around("20581", before: 1, after: 0), of: tea) == nil)
        #expect(try await windows.rows(in: .last(1), of: tea)?.rows.map(\.key) == ["29960"])
    }

    /// More than are remembered one by one.
    @Test(arguments: [[], ["-stars"]])
    func anyPartOfManyThatAreFoundIsReadAsItIsInTheWhole(order: [String]) async throws {
        let most = 20_000
        database.run(
            """
            WITH RECURSIVE numbers (n) AS (SELECT \(Self.count + 1) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(most))
            INSERT INTO log SELECT n * 10, CASE n % 10 WHEN 0 THEN 'None' ELSE 'Row ' || n END, n * 7919 % 100 FROM numbers
            """)
        let (windows, row) = (windows(order), try RowQuery(find: "row", filter: [], sort: []))
        let order = order.isEmpty ? "key" : "stars DESC, key DESC"
        let query = "SELECT * FROM (\(Self.query)) WHERE title LIKE '%row%' ORDER BY \(order)"
        let keys = try await SQLiteSource(database.path, query: query).run().flatMap(\.self).map(\.key.string)
        for index in [0, 1, 2, 3, 4095, 8191, 8192, 8193, 12_345, keys.count - 3] {
            let near = try await windows.rows(in: .around(Key(keys[index]), before: 5, after: 7), of: row)
            let range = max(0, index - 5)..<min(keys.count, index + 8)
            #expect(near?.rows.map(\.key.string) == Array(keys[range]), "around \(index)")
            #expect(near?.place == WindowPlace(first: range.lowerBound, total: keys.count))
        }
        #expect(try await windows.rows(in: .last(9), of: row)?.rows.map(\.key.string) == keys.suffix(9))
    }

    @Test
    func whoFindsSomethingAtOnceDoesNotWaitForWhoFindsNothing() async throws {
        addRows(upTo: 300_000)
        let (windows, isOver) = (windows(), Locked(false))
        async let none = {
            let nobody = try RowQuery(find: "nobody", filter: [], sort: [])
            let read = try await windows.rows(in: .first(0, count: 2), of: nobody)
            isOver.withLock { $0 = true }
            return read
        }()

        let first = try await windows.rows(
            in: .first(0, count: 2), of: try RowQuery(find: "the", filter: [], sort: []))

        #expect(first?.isSearching == true && !isOver.withLock(\.self))
        #expect(try await none == WindowRows([], first: 0, total: 0))
    }

    @Test(arguments: [(["badge = x"], []), ([], ["-title"])] as [([String], [String])])
    func conditionsAndOtherOrdersAreRefused(filter: [String], sort: [String]) async throws {
        let query = try RowQuery(find: "", filter: filter, sort: sort)
        let error = await #expect(throws: SourceError.self) {
            try await windows().rows(in: .first(0, count: 3), of: query)
        }
        #expect(error?.message == "This list can be looked through for words, but neither filtered nor sorted.")
    }

    @Test(
        arguments: [
            (["nosuch"], query, "The result has no column “nosuch”, by which rows are ordered."),
            ([], "SELECT text AS title FROM log", "The result has no column “key”, by which rows are told apart."),
            ([], "SELECT id AS key FROM logs", "The query has a fault: no such table: logs."),
            (
                ["note"], "SELECT id AS key, NULL AS note FROM log",
                "A row has nothing in the column “note”, by which rows are ordered."
            ),
            ([], "SELECT 1 AS key FROM log", "Two rows have the key “1”: rows 1 and 2 of the result."),
            ([], "DELETE FROM log", "The query would change the database: a SELECT is expected."),
        ] as [([String], String, String)])
    func aFaultIsSaid(order: [String], query: String, message: String) async throws {
        let error = await #expect(throws: SourceError.self) {
            try await windows(order, query: query).rows(in: .first(0, count: 3), of: RowQuery())
        }
        #expect(error?.message == message)
    }

    /// More than a turn looks at.
    @Test
    func manyRowsThatHaveOneKeyAreSaidToHaveIt() async throws {
        database.run(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 10000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400000)
            INSERT INTO log SELECT n * 10, 'Row', 500 FROM numbers
            """)
        let all = windows(query: "SELECT stars AS key, text AS title FROM log")
        let error = await #expect(throws: SourceError.self) { try await all.prepare { _, _, _ in } }
        #expect(error?.message == "Many rows have the same key: 500.")
    }

    @Test
    func aQueryMayEndInASemicolonOrAComment() async throws {
        for ending in [";", " -- all of them", ";  \n"] {
            let read = try await windows(query: Self.query + ending).rows(in: .first(0, count: 1), of: RowQuery())
            #expect(read?.rows.first?.key == "10")
        }
    }
}
