import ArgumentParser
import ListProtocol
import RefreshableLists

/// The `refreshable` command: a server of refreshable lists, and clients for its protocol.
@main
struct RefreshableTool: AsyncParsableCommand {
    /// The version of all that is released together. `Scripts/version` writes it here and wherever else it stands.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "refreshable",
        abstract: "Serves lists that people pull down to refresh.",
        discussion: """
            To begin, `refreshable init` writes a lists.yaml. Edit it, test it with `refreshable check`, and serve it with \
            `refreshable serve`. Each list is then a web page, and `refreshable watch` shows it in the terminal.

            Exit status:

            \(ToolStatus.table)
            """,
        version: RefreshableTool.version,
        subcommands: [
            InitCommand.self, ServeCommand.self, CheckCommand.self, WatchCommand.self, RefreshCommand.self,
            PushCommand.self, StoreCommand.self, TokenCommand.self, HealthCommand.self, ScriptCommand.self,
        ])

    static func main() async {
        #if os(Linux)
            InitProcess.runIfFirst()
        #endif
        SettingNames.use(.options)
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

/// The exit statuses of `refreshable`. The numbers from 64 on are those of sysexits(3).
enum ToolStatus: Int32, CaseIterable {
    case success = 0
    case failure = 1
    /// `EX_USAGE`; ArgumentParser ends so by itself.
    case wrongUsage = 64
    /// `EX_DATAERR`.
    case invalidData = 65
    /// `EX_NOINPUT`.
    case noInput = 66
    /// `EX_CANTCREAT`.
    case cannotCreate = 73
    /// `EX_CONFIG`.
    case invalidSettings = 78

    /// The text of help and documentation.
    var meaning: String {
        switch self {
        case .success: "Success, or ended by a signal that asked for it."
        case .failure: "A refresh, source or script failed, or the server could not be used."
        case .wrongUsage: "Wrong usage: an unknown command, option or argument."
        case .invalidData: "Invalid data: a line of `push` is not a row."
        case .noInput: "A file does not exist or can't be read."
        case .cannotCreate: "A file can't be written, or exists already."
        case .invalidSettings: "Invalid settings."
        }
    }

    /// All statuses, one per line.
    static var table: String {
        allCases.map { status in
            let number = "\(status.rawValue)"
            return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(status.meaning)"
        }.joined(separator: "\n")
    }
}

extension ExitCode {
    /// A line of the input is invalid.
    static let invalidData = ExitCode(ToolStatus.invalidData.rawValue)
    /// An input file does not exist or can't be read.
    static let noInput = ExitCode(ToolStatus.noInput.rawValue)
    /// A file can't be written, or exists already.
    static let cannotCreate = ExitCode(ToolStatus.cannotCreate.rawValue)
    /// Settings are invalid.
    static let invalidSettings = ExitCode(ToolStatus.invalidSettings.rawValue)
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes lines for people and for programs that read them, at once and whole, also into a pipe. Nothing else in the command
/// writes any, so whatever was written by strangers is made fit for a terminal here.
enum Console {
    /// To people, on standard output. Newlines and tabs are kept.
    static func say(_ text: String) { write(TerminalText.lines(text), to: STDOUT_FILENO) }

    /// To people, on standard error.
    static func warn(_ text: String) { write(TerminalText.lines(text), to: STDERR_FILENO) }

    /// To people, with `Style`: the caller has made the text safe.
    static func draw(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// To programs, on standard output: the same JSON, whatever escapes it takes.
    static func tell(json: String) { write(TerminalText.json(json), to: STDOUT_FILENO) }

    /// To programs, on standard output: unchanged, unless it is a terminal.
    static func tell(_ text: String) { isatty(STDOUT_FILENO) == 1 ? say(text) : write(text, to: STDOUT_FILENO) }

    /// The log, on standard error: the caller has made it safe.
    static func log(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            // A reader that has gone away is no reason to stop serving.
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
