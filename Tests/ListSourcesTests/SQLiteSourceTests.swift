import Glibc
import KeyedLists
import Testing

@testable import ListSources
@testable import SQLiteSources

/// Real databases.
struct SQLiteSourceTests {
    private static let people = """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, team TEXT, born TEXT);
        INSERT INTO people (name, team, born) VALUES
            ('Ada', 'red', '1815-12-10'), ('Grace', 'blue', '1906-12-09 12:00:00'), ('Hedy', 'red', NULL);
        """

    private let database = TestDatabase(people)

    @Test
    func columnsThatAreCalledLikeFieldsAreFields() async throws {
        let source = source("SELECT id AS key, name AS title, team AS subtitle, 1 AS other FROM people")
        let rows = try await source.run().flatMap(\.self)
        #expect(rows.map { "\($0.key) \($0.fields)" }.first == #"1 {"subtitle":"red","title":"Ada"}"#)
        #expect(rows.count == 3)
    }

    @Test
    func withoutATitleTheFirstTwoColumnsAreShown() async throws {
        let rows = try await source("SELECT name, team FROM people LIMIT 1").run().flatMap(\.self)
        #expect(rows.map { "\($0.fields)" } == [#"{"subtitle":"red","title":"Ada"}"#])
    }

    @Test
    func columnsAreMappedByNameNumberAndTemplateThenPicked() async throws {
        let source = SQLiteSource(
            database.path, query: "SELECT id, name, team, born FROM people",
            fields: [
                .key: .number(1), .title: .template(try #require(TextTemplate("{name} ({team})"))),
                .time: .name("born"),
                .detail: .rest(3),
            ], selection: RowSelection(filter: [Comparison(.name("team"), .equal, "red")], sort: [RowOrder("-id")!]))
        let rows = try await source.run().flatMap(\.self)
        #expect(
            rows.map { "\($0.key) \($0.fields)" } == [
                #"3 {"detail":"red","title":"Hedy (red)"}"#,
                #"1 {"detail":"red 1815-12-10","time":-4861728000000,"title":"Ada (red)"}"#,
            ])
    }

    @Test(
        arguments: [
            ("9223372036854775807", "9223372036854775807"), ("9007199254740993", "9007199254740993"), ("1.50", "1.5"),
            ("1e2", "100"), ("0.1", "0.1"), ("9e999", "∞"), ("-9e999", "-∞"), ("NULL", nil), ("x'00FF10'", "00ff10"),
            ("''", ""), ("'é' || char(128512)", "é😀"), ("1 = 1", "1"), ("date(0, 'unixepoch')", "1970-01-01"),
        ] as [(String, String?)])
    func aValueIsShownAs(expression: String, text: String?) async throws {
        let rows = try await source("SELECT 1 AS key, \(expression) AS title").run().flatMap(\.self)
        #expect(rows.first?.text("title") == text)
    }

    @Test(
        arguments: [
            ("'2026-11-21 10:00:00'", 1_795_255_200_000), ("'2026-11-21T10:00:00+01:00'", 1_795_251_600_000),
            ("1795255200", 1_795_255_200_000), ("1795255200000", 1_795_255_200_000),
            ("1795255200.5", 1_795_255_200_500),
            ("unixepoch('2026-11-21 10:00:00')", 1_795_255_200_000), ("NULL", nil), ("''", nil),
        ] as [(String, Double?)])
    func aTimeIsATextOrANumberOfSeconds(expression: String, time: Double?) async throws {
        let rows = try await source("SELECT 'a' AS title, \(expression) AS time").run().flatMap(\.self)
        #expect(rows.first?.fields["time"] == time.map(JSONValue.number))
    }

    @Test
    func aColumnThatNobodyAsksForIsNotRead() async throws {
        let query = "SELECT name AS title, zeroblob(100000000) AS picture, CAST(x'FF' AS TEXT) FROM people"
        #expect(try await source(query).run().flatMap(\.self).count == 3)
    }

    @Test(
        arguments: [
            ("name = :name", ["name": "Ada"]), ("name = @name OR id > $least", ["name": "Ada", "least": 3]),
            ("name = ?", ["Ada"]), ("id = ? AND team = ?", [1, "red"]), ("id = ?1 AND id = ?1", [1]),
            ("id < :real", ["real": 1.5]), ("name = 'Ada' AND :nothing IS NULL", ["nothing": nil]),
            ("id = :truth", ["truth": true]), ("id = :text", ["text": "1"]), ("id = 1", [:]),
            ("CAST(name AS BLOB) = :blob", .named(["blob": .blob(Array("Ada".utf8))])),
        ] as [(String, SQLiteParameters)])
    func valuesStandInTheirPlaces(condition: String, parameters: SQLiteParameters) async throws {
        #expect(
            try await source("SELECT id AS key, name AS title FROM people WHERE \(condition)", parameters).titles() == [
                "1 Ada"
            ])
    }

    @Test
    func aValueIsNeverReadAsSQL() async throws {
        let query = "SELECT id AS key, name AS title FROM people WHERE name = :name"
        #expect(try await source(query, ["name": "' OR 1 = 1 --"]).titles().isEmpty)
    }

    @Test(
        arguments: [
            ("SELECT nmae FROM people", "The query has a fault: no such column: nmae (Line 1, column 8)."),
            ("SELECT name\n FORM people", "The query has a fault: near \"people\": syntax error (Line 2, column 7)."),
            ("SELECT 'é', x FROM people", "The query has a fault: no such column: x (Line 1, column 13)."),
            ("SELECT name FROM persons", "The query has a fault: no such table: persons."),
            ("SELECT name FROM people WHERE", "The query has a fault: incomplete input."),
            ("", "The query is empty: a SELECT is expected."),
            (" ; -- nothing", "The query is empty: a SELECT is expected."),
            ("DELETE FROM people", "The query would change the database: a SELECT is expected."),
            ("INSERT INTO people (name) VALUES ('Eve') RETURNING name", "The query would change the database: "),
            ("PRAGMA journal_mode = WAL", "The query would change the database: "),
            ("ATTACH '/tmp/other.db' AS other", "The query has no result: a SELECT is expected."),
            ("VACUUM INTO '/tmp/other.db'", "The query would change the database: "),
            ("SELECT 1; DELETE FROM people", "The query is more than one statement: one SELECT is expected."),
            ("SELECT 1; nonsense", "The query is more than one statement: one SELECT is expected."),
            ("SELECT json('{') AS title", "The query failed: malformed JSON."),
            ("SELECT name FROM people WHERE id = ?", "The query has a ? without a name: its values are expected as a"),
            ("SELECT :name", "The query needs a value for its parameter :name."),
            (
                "SELECT 1 AS title, x'\(String(repeating: "00", count: 65))' AS badge",
                "Row 1 of the result has in column "
            ),
            ("SELECT CAST(x'FF' AS TEXT) AS title", "Row 1 of the result has in column title what is not UTF-8 text."),
            (
                "SELECT printf('%300000d', 1) AS title",
                "Row 1 of the result has in column title a text of 300000 bytes."
            ),
            ("SELECT printf('%20000d', 1) AS title", "Row 1 of the result makes a row of 20012 bytes."),
            (
                "SELECT 1 AS key, 2 AS title UNION ALL SELECT 1, 3",
                "Two rows have the key “1”: rows 1 and 2 of the result."
            ),
            ("SELECT NULL AS key, 1 AS title, 'soon' AS time", "Row 1 of the result has “soon” for its time."),
        ])
    func aFaultyQueryIsExplained(query: String, message: String) async throws {
        let error = try #require(await failure(source(query)))
        #expect(error.message.hasPrefix(message), "\(error)")
    }

    @Test(
        arguments: [
            (["nme": "Ada"], "The query has no parameter :nme."),
            ([:], "The query needs a value for its parameter :name."),
            (["Ada", 2], "The query has places for 1 values, and is given 2."),
        ] as [(SQLiteParameters, String)])
    func valuesWithoutAPlaceAreTold(parameters: SQLiteParameters, message: String) async {
        #expect(await failure(source("SELECT name FROM people WHERE name = :name", parameters))?.message == message)
    }

    @Test(
        arguments: [
            (SourceColumn("nmae"), "The result names no column “nmae”."),
            (SourceColumn("5"), "The result names no column “5”."),
            (SourceColumn("{id} {nmae}"), "The result names no column “nmae”."),
            (SourceColumn("/id/x"), "The result names no column “/id/x”."),
        ] as [(SourceColumn?, String)])
    func aColumnThatIsNotThereIsTold(column: SourceColumn?, message: String) async throws {
        let column = try #require(column)
        let source = SQLiteSource(database.path, query: "SELECT id, name FROM people", fields: [.title: column])
        let error = await failure(source)
        #expect(error?.message == message)
        #expect(error?.detail == "It names: id, name")
    }

    @Test
    func whatIsNoDatabaseSaysSo() async {
        let query = "SELECT 1"
        #expect(await failure(SQLiteSource("/no/such.db", query: query))?.message == "The database is not there.")
        #expect(await failure(SQLiteSource(":memory:", query: query))?.message == "The database is not there.")
        #expect(await failure(SQLiteSource("", query: query))?.message == "The database is not there.")
        #expect(await failure(SQLiteSource("/tmp", query: query))?.message == "What should be a database is a folder.")
        #expect(
            await failure(SQLiteSource("/dev/null", query: query))?.message == "What should be a database is no file.")
        database.replace(by: Array("name,team\nAda,red\n".utf8))
        #expect(await failure(source("SELECT * FROM people"))?.message == "The file is not an SQLite database.")
        var random = SeededGenerator(seed: 1)
        database.replace(by: (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(
            await failure(source("SELECT * FROM people"))?.message
                == "The file is not an SQLite database, or it is encrypted.")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aDatabaseThatMayNotBeReadSaysSo() async {
        chmod(database.path, 0)
        #expect(await failure(source("SELECT 1"))?.message == "The database may not be read.")
    }

    @Test
    func aDamagedDatabaseSaysSo() async throws {
        let writer = database.open()
        writer.insert(2000, "INSERT INTO people (team, name) VALUES (?, ?)") { "Person \($0)" }
        truncate(database.path, 20_000)
        #expect(await failure(source("SELECT name AS title FROM people"))?.message == "The database is damaged.")
    }

    @Test
    func noPathIsToldToPeople() async {
        #expect(await failure(SQLiteSource("/no/such.db", query: ""))?.message.contains("/no/such.db") == false)
        #expect(await failure(SQLiteSource("/no/such.db", query: ""))?.detail.contains("/no/such.db") == true)
    }

    @Test
    func theResultMayNotBeLargerThanTheLimit() async {
        let query = "SELECT printf('%1000d', people.id) AS title FROM people, people AS others"
        let source = SQLiteSource(database.path, query: query, limit: 4096)
        #expect(await failure(source)?.message == "The result is larger than 4 KiB.")
    }

    @Test
    func noMoreRowsAreReadThanAreShown() async throws {
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i AS title FROM n"
        let source = SQLiteSource(database.path, query: endless, selection: RowSelection(limit: 2))
        #expect(try await source.titles() == ["1 1", "2 2"])
    }

    private func source(_ query: String, _ parameters: SQLiteParameters = [:]) -> SQLiteSource {
        SQLiteSource(database.path, query: query, parameters: parameters)
    }

    private func failure(_ source: SQLiteSource) async -> SourceError? {
        await #expect(throws: SourceError.self) { try await source.rows(into: TestSink()) }
    }
}
