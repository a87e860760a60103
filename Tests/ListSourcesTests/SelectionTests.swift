import KeyedLists
import Testing

@testable import ListSources

/// Which rows are shown, and in which order.
struct SelectionTests {
    @Test(
        arguments: [
            ("stars >= 100", ["100", "250.5", "1e3", "100%"]), ("stars < 100", ["7"]),
            ("stars = 100", ["100", "100%"]),
            ("stars != 100", ["7", "250.5", "1e3", "n/a", ""]), ("stars =", [""]),
            ("stars !=", ["7", "100", "250.5", "1e3", "n/a", "100%"]), ("stars contains 0", ["100", "250.5", "100%"]),
            ("stars = n/a", ["n/a"]), ("stars contains N/A", ["n/a"]), ("\"stars\">=1e3", ["1e3"]),
            ("stars <= \"7\"", ["7"]), ("stars > m", ["n/a"]),
        ])
    func aComparisonKeepsTheRowsThatMeetIt(text: String, kept: [String]) throws {
        let comparison = try #require(Comparison(text))
        #expect(["7", "100", "250.5", "1e3", "n/a", "100%", ""].filter { comparison.isMet(by: $0) } == kept)
        #expect(comparison.isMet(by: nil) == comparison.isMet(by: ""))
    }

    @Test
    func datesAreComparedAsTimes() throws {
        let since = try #require(Comparison("at >= 2026-01-01T01:00+01:00"))
        #expect(since.isMet(by: "2026-01-01T00:00:00Z") && since.isMet(by: "1767225600"))
        #expect(!since.isMet(by: "2025-12-31T23:59:59Z") && !since.isMet(by: "soon"))
    }

    @Test(arguments: [
        "", "stars", "= 5", "stars ~ 5", "stars <", "a contains", "a == b", "a => b", "a = \"b\" c", "{a = b",
    ])
    func otherTextsAreNoComparisons(text: String) {
        #expect(Comparison(text) == nil)
    }

    @Test(
        arguments: [
            ("n", "2 10 a B ?"), ("-n", "B a 10 2 ?"), ("-\"n\"", "B a 10 2 ?"),
        ])
    func rowsAreSortedByNumberThenByTextAndMissingOnesComeLast(order: String, sorted: String) throws {
        let layout = RowLayout(
            .csv, fields: [.title: .name("n")], selection: RowSelection(sort: [try #require(RowOrder(order))]))
        let titles = try RowReader.rows(Array("n,x\nB,1\n,1\n10,1\na,1\n2,1".utf8), layout).map { $0.text("title") }
        #expect(titles.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "?" }.joined(separator: " ") == sorted)
    }

    @Test
    func rowsAreLimitedAfterTheyAreSorted() throws {
        let unsorted = RowLayout(.lines, selection: RowSelection(limit: 2))
        let sorted = RowLayout(.lines, selection: RowSelection(sort: [RowOrder(.number(1))], limit: 2))
        #expect(try titles("3\n1\n2", unsorted) == ["3", "1"])
        #expect(try titles("3\n1\n2", sorted) == ["1", "2"])
    }

    /// More come than are kept while they wait.
    @Test
    func theFirstOfManyRowsAreFoundAmongEqualOnesTheEarlier() throws {
        let layout = RowLayout(
            .tsv, fields: [.key: .number(1), .title: .number(1)],
            selection: RowSelection(sort: [RowOrder(.number(2))], limit: 7))
        let rows = (0..<5000).map { (number: $0, rank: $0 * 7919 % 1000) }
        let text = rows.map { "\($0.number)\t\($0.rank)" }.joined(separator: "\n")
        let expected = rows.sorted { $0.rank < $1.rank }.prefix(7).map { "\($0.number)" }
        #expect(try titles(text, layout) == expected)
    }

    @Test
    func whatIsFilteredOutNeedsNoKeyAndMayHaveOneTwice() throws {
        let layout = RowLayout(
            .csv, fields: [.key: .name("id"), .title: .name("id")],
            selection: RowSelection(filter: [Comparison(.name("state"), .equal, "open")]))
        #expect(try RowReader.titles("id,state\n1,open\n1,closed\n,closed", layout) == ["1: 1"])
    }

    @Test
    func aColumnToSortByHasToBeInTheHeader() {
        let layout = RowLayout(.csv, selection: RowSelection(sort: [RowOrder(.name("stars"))]))
        #expect(RowReader.fault("a,b\n1,2", layout)?.message == "Line 1 of the output names no column “stars”.")
    }

    /// Against the definition: what is filtered, in an order in which no neighbour is wrong, alike ones as they came.
    @Test(arguments: 1...200)
    func sortingIsAStableOrderOfWhatIsKept(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = ["", "1", "2", "10", "2.0", "a", "A", "é", "e\u{301}", "2026-01-01", "2026-01-02T00:00Z", "nan"]
        let rows = (0..<Int.random(in: 0...40, using: &random)).map { number in
            (number, values.randomElement(using: &random)!, values.randomElement(using: &random)!)
        }
        let orders = [
            RowOrder(.name("a"), isDescending: Bool.random(using: &random)),
            RowOrder(.name("b"), isDescending: Bool.random(using: &random)),
        ]
        let selection = RowSelection(
            filter: [Comparison(.name("a"), .unequal, "2")], sort: orders, limit: Int.random(in: 1...50, using: &random)
        )
        let text = "n,a,b\n" + rows.map { "\($0.0),\($0.1),\($0.2)\n" }.joined()
        let shown = try titles(text, RowLayout(.csv, fields: [.title: .name("n")], selection: selection)).map {
            Int($0)!
        }

        let kept = rows.filter { !["2", "2.0"].contains($0.1) }
        #expect(shown.count == min(kept.count, selection.limit ?? 0), "seed \(seed)")
        #expect(Set(shown).count == shown.count && Set(shown).isSubset(of: kept.map(\.0)), "seed \(seed)")
        for (left, right) in zip(shown, shown.dropFirst()) {
            let pairs = [(rows[left].1, rows[right].1), (rows[left].2, rows[right].2)]
            let first = zip(orders, pairs).lazy.compactMap { $0.precedes(Self.rank($1.0), Self.rank($1.1)) }.first
            #expect(first ?? (left < right), "seed \(seed): \(rows[left]) before \(rows[right])")
        }
    }

    private static func rank(_ cell: String) -> CellRank? { cell.isEmpty ? nil : CellRank(cell) }

    private func titles(_ text: String, _ layout: RowLayout) throws -> [String] {
        try RowReader.rows(Array(text.utf8), layout).map { $0.text("title") ?? "-" }
    }
}
