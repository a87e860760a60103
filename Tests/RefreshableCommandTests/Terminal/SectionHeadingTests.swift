import Foundation
import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

/// The headings of a list in sections, on a terminal.
struct SectionHeadingTests {
    private static let day: Int64 = 86_400_000
    /// Noon of 25 November 2026 in UTC, a Wednesday: the same day in most of the world.
    private let noon: Int64 = 1_795_608_000_000
    private let teams = SectionHeading(sections: .field("badge"), now: 0)

    private static func rows(_ teams: String) -> [(key: Key, fields: Fields)] {
        teams.enumerated().map { number, team in
            let row = ListRow("\(number)", title: "Row \(number)", badge: team == "-" ? nil : String(team))
            return (row.key, row.fields)
        }
    }

    @Test(arguments: [
        (0, "Today"), (-1, "Yesterday"), (1, "Tomorrow"), (-2, "Monday"), (-6, "Thursday"), (-7, "18 November"),
        (5, "30 November"), (-365, "25 November 2025"),
    ])
    func aDayIsToldByHowFarItIsAway(days: Int64, text: String) {
        let row = ListRow("a", time: Date(milliseconds: noon + days * Self.day))
        let heading = SectionHeading(sections: .day("time"), now: noon)
        #expect(heading.text(of: row.fields) == text)
        #expect(heading.text(of: ListRow("b").fields) == nil)
    }

    @Test func consecutiveRowsShareAHeading() {
        let fitting = teams.fitting(Self.rows("AAB-A")[...], room: 20)
        #expect(fitting.map(\.heading) == ["A", nil, "B", nil, "A"])
    }

    @Test func headingsTakeTheirLines() {
        let rows = Self.rows("AABBC")
        #expect(teams.fitting(rows[1...], room: 4).map(\.row) == [1, 2])
        #expect(teams.lastCount(rows[...], room: 5) == 3)
        #expect(teams.lastCount(rows[...], room: 4) == 2)
        #expect(teams.lastCount([], room: 4) == 0)
    }

    @Test func theScreenHasAHeadingBeforeTheFirstRowThatIsSeen() {
        let screen = Screen(size: Screen.Size(columns: 30, rows: 10), isColoured: false)
        let content = Screen.Content(
            title: "Teams", rows: Self.rows("AABBC"), section: .field("badge"), isRefreshable: true, marks: [:], top: 1,
            tick: 0, now: 0)
        let words = screen.lines(of: content).map { $0.split(separator: " ").first ?? "" }
        #expect(words[3...7] == ["A", "Row", "B", "Row", "Row"])
        #expect(screen.lines(of: content).last?.hasSuffix("2–4 of 5") == true)
    }
}
