import Foundation
import RefreshableLists
import RefreshableListsTesting
import Testing

@testable import Menu

/// A menu and its stock.
struct MenuTests {
    @Test func whatIsNotSoldIsNotOnTheMenu() async throws {
        let list = try TestedList(Menu.list(in: files(stock: "tea,90\nsoup,0\ncake,2\nstaff,5")))

        let run = await list.refresh()

        #expect(run?.outcome == .success)
        #expect(await list.titles == ["Tea", "Soup", "Cake"])
        #expect(await list.rows.map(\.badge) == [nil, "sold out", "last 2"])
    }

    @Test func withoutAStockTheMenuStaysAsItWas() async throws {
        let folder = try files(stock: "tea,1")
        let list = TestedList(Menu.list(in: folder))
        await list.refresh()
        try FileManager.default.removeItem(atPath: "\(folder)/stock.csv")

        let run = await list.refresh()

        #expect(run?.outcome.isSuccess == false)
        #expect(await list.rows.first?.badge == "last 1")
    }

    @Test(arguments: [(0, "sold out"), (1, "last 1"), (3, nil)] as [(Int, String?)])
    func littleIsSaid(left: Int, badge: String?) {
        #expect(Menu.badged(ListRow("tea", title: "Tea", badge: "old"), left: left).badge == badge)
    }

    private func files(stock: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let dishes = "key,title,detail\ntea,Tea,2.50\nsoup,Soup,6.00\nstaff,Meal,\ncake,Cake,4.20\n"
        try dishes.write(to: folder.appendingPathComponent("menu.csv"), atomically: true, encoding: .utf8)
        try "dish,left\n\(stock)\n".write(
            to: folder.appendingPathComponent("stock.csv"), atomically: true, encoding: .utf8)
        return folder.path
    }
}
