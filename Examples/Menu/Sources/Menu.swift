// A menu that knows what is left: two sources that know nothing of each other, and one list.
//
//     swift run --package-path Examples Menu [PORT]       then open http://localhost:8080
//
// What to look at: change Examples/Menu/stock.csv, as the till does, and see it on the page without a pull. `filter`,
// `joining` and the like keep what their sources can do: both files are followed.

import Foundation
import RefreshableLists

@main
enum Menu {
    static func main() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        let folder = ProcessInfo.processInfo.environment["MENU"] ?? "Examples/Menu"
        let server = RefreshableServer(configuration: configuration) { list(in: folder) }
        try await server.run()
    }

    /// The list. The folder is a parameter, so that a test brings its own files.
    static func list(in folder: String) -> RefreshableList {
        let dishes = FileSource("\(folder)/menu.csv")
        let stock = FileSource(
            "\(folder)/stock.csv", layout: RowLayout(.csv, fields: [.key: .name("dish"), .title: .name("left")]))
        return RefreshableList("menu").source(
            dishes
                .filter { $0.detail != "" }
                .joining(stock) { dish, stock in badged(dish, left: stock?.title.flatMap { Int($0) } ?? 0) })
    }

    /// A dish that says so where little or nothing is left of it.
    static func badged(_ dish: ListRow, left: Int) -> ListRow {
        var dish = dish
        dish.badge = left == 0 ? "sold out" : left < 3 ? "last \(left)" : nil
        return dish
    }
}
