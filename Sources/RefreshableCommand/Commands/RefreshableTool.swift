import ArgumentParser
import ListProtocol

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
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let problem = unknownCommand(in: arguments) {
            Console.warn(problem)
            exit(withError: ExitCode.validationFailure)
        }
        await main(arguments)
    }

    /// What is wrong where the first word is no command, and what was perhaps meant; nil where it is one, or an option.
    static func unknownCommand(in arguments: [String]) -> String? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard let word = arguments.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
            return "There is no command \(word.quoted); did you mean `refreshable serve \(word)`?"
        }
        let meant = Spelling.nearest(to: word, in: names).map { "did you mean `refreshable \($0)`?" }
        return "There is no command \(word.quoted); \(meant ?? "there are \(names.joined(separator: ", "))")"
    }
}
