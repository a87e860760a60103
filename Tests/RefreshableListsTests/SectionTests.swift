import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableLists

/// Rows are given the heading that they stand under, whoever gives them.
struct SectionTests {
    /// By the first letter; what begins with a digit has none.
    private static let heading: @Sendable (ListRow) -> String? = { row in
        row.key.string.first.flatMap { $0.isLetter ? $0.uppercased() : nil }
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func whatAHandlerYieldsStandsInSections(mode: RefreshableList.Mode) async throws {
        let list = RefreshableList("names").refreshable { ["ada", "bob", "7"] }.section(Self.heading).mode(mode)
        let stage = Stage(list)
        await stage.refresh()
        #expect(try await stage.sections == ["A", "B", nil])
    }

    @Test func pagesFirstRowsAndEditsStandInSectionsToo() async throws {
        let list = RefreshableList("names").rows([ListRow("ada")]).section(Self.heading).more { _ in ["bob"] }
        let stage = Stage(list)
        await stage.watch()
        _ = await stage.more(after: "ada")
        await stage.runEnds()
        try await stage.list.insert(ListRow("cleo"), .last)
        #expect(try await stage.sections == ["A", "B", "C"])
        try await stage.list.replace(with: [ListRow("eve")])
        #expect(try await stage.sections == ["E"])
    }

    @Test func aHeadingThatIsTakenBackLeavesTheRow() {
        let row = ListRow("a", title: "Apple", section: "Fruit")
        #expect(row.headed { _ in nil } == ListRow("a", title: "Apple"))
        #expect(row.headed { _ in "Trees" } == ListRow("a", title: "Apple", section: "Trees"))
        #expect(row.headed(by: nil) == row)
    }

    @Test func theLastModifierCounts() {
        let list = RefreshableList("names").section(Self.heading).sectionByDay()
        #expect(list.section == .day("time") && list.heading == nil)
        #expect(list.section(by: "badge").section == .field("badge"))
        #expect(list.section(Self.heading).section == .field("section"))
    }
}

extension Stage {
    fileprivate var sections: [String?] {
        get async throws { try await list.rows.map(\.section) }
    }
}
