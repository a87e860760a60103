import ArgumentParser

/// `refreshable`: serves lists that people pull down to refresh, and speaks their protocol.
@main
struct RefreshableTool: AsyncParsableCommand {
    /// This release. `Public/package.json` says the same.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "refreshable",
        abstract: "Serves lists that people pull down to refresh.",
        discussion: """
            Begin with `refreshable init`, which writes a lists.yaml; change it, try it by `refreshable check`, and serve it \
            by `refreshable serve`: each list is a page, and `refreshable watch` shows it here.

            Ends with one of these statuses:

            \(ToolStatus.table)
            """,
        version: RefreshableTool.version,
        subcommands: [
            InitCommand.self, ServeCommand.self, CheckCommand.self, WatchCommand.self, RefreshCommand.self,
            PushCommand.self, TokenCommand.self, HealthCommand.self, ScriptCommand.self,
        ])

    static func main() async {
        #if os(Linux)
            FirstProcess.standInIfFirst()
        #endif
        await main(nil)
    }
}
