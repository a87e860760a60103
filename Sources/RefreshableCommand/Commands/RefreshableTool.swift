import ArgumentParser

/// `refreshable`: serves lists that people pull down to refresh, and speaks their protocol.
@main
struct RefreshableTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refreshable",
        abstract: "Serves lists that people pull down to refresh.",
        discussion: """
            Ends with status 0 when all went well, 1 when something failed, 64 when it was called wrongly, 65 when data \
            is faulty, 66 when a file is not there, 73 when one can't be written, and 78 when settings are faulty.
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ServeCommand.self, CheckCommand.self, WatchCommand.self, RefreshCommand.self,
            PushCommand.self,
            HealthCommand.self,
            ScriptCommand.self,
        ])

    static func main() async {
        #if os(Linux)
            FirstProcess.standInIfFirst()
        #endif
        await main(nil)
    }
}

extension ExitCode {
    /// A line of the input is not what it should be (`EX_DATAERR` of sysexits).
    static let faultyData = ExitCode(65)
    /// An input file is not there or can't be read (`EX_NOINPUT` of sysexits).
    static let noInput = ExitCode(66)
    /// A file can't be written, or is there already (`EX_CANTCREAT` of sysexits).
    static let cannotCreate = ExitCode(73)
    /// Settings are faulty (`EX_CONFIG`).
    static let faultySettings = ExitCode(78)
}
