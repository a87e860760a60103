import ListSources
import Testing

@testable import PostgresConnections
@testable import PostgresSources

/// What of PostgreSQL needs no server. The rest is in Tests/Integration/postgres.py.
@Suite struct PostgresRuleTests {
    @Test(arguments: [
        ("postgres://app:secret@one:5432,two:5433/shop?sslmode=require", "postgres://app@one:5432,two:5433/shop"),
        ("postgresql://one,two:7000/shop?password=secret&user=app", "postgres://app@one,two:7000/shop"),
        ("postgres://app:s%20ecret@[::1]/shop", "postgres://app@::1/shop"),
        ("postgres:///shop?host=/run/postgresql&port=1,2", "postgres:///run/postgresql:1/shop"),
        ("postgres://", "postgres://"),
        ("postgres:///?service=shop&password=secret", "postgres://?service=shop"),
    ])
    func anAddressIsShownWithoutItsPassword(url: String, shown: String) throws {
        #expect(try PostgresAddress(url).description == shown)
    }

    @Test(arguments: [
        ("connection to a failed: refused\n\tIs the server running there?\n", "connection to a failed: refused"),
        ("connection to a failed: no\nconnection to a failed: no\n", "connection to a failed: no"),
        ("connection to a: refused\nconnection to b: no\n", "connection to a: refused; connection to b: no"),
        ("a file is missing\nEither provide it or do without.\n", "a file is missing. Either provide it or do without"),
        ("\tall of it is indented\n", "\tall of it is indented"), ("", ""),
    ])
    func whatLibpqSaysIsOneLine(message: String, line: String) {
        #expect(PostgresConnection.oneLine(message) == line)
    }

    @Test(arguments: [
        "mysql://app:secret@one/shop", "host=one password=secret", "", "postgres://app:secret@[one/shop",
        "postgres://app:secret@one/shop?colour=blue", "postgres://app:sec%zzret@one/shop", "postgres://one/shop\0",
    ])
    func whatIsNoAddressIsToldWithoutItsPassword(url: String) throws {
        let fault = try #require(PostgresSource.fault(inURL: url))
        #expect(!fault.contains("secret") && !fault.contains("zzret"), "\(fault)")
    }

    @Test(arguments: [
        (state: "25006", "The query would change the database: a SELECT is expected."),
        ("55P03", "The database is locked by another program."),
        ("57P01", "The database ended the connection."), ("42P01", "The query failed in line 2: no such thing."),
    ])
    func whatAServerRefusesIsOneSentence(state: String, message: String) {
        let refusal = PostgresError.Refusal(state: state, message: "no such thing", position: 12)
        let error = PostgresProblem(.refused(refusal), query: "SELECT 1\nFROM x").explanation
        #expect(error.message == message)
        #expect(error.detail.contains("SQLSTATE \(state)"))
    }

    @Test(arguments: [("Fruit's", "\"Fruit's\""), ("a\"b", "\"a\"\"b\"")])
    func aNameIsANameWhateverIsInIt(name: String, quoted: String) {
        #expect(PostgresConnection.quoted(name) == quoted)
    }

    @Test func aSourceWithoutAChannelTellsOfNoChanges() async {
        for await _ in PostgresSource("postgres://one/shop", query: "SELECT 1").changes() {
            Issue.record("A change was told.")
        }
    }
}
