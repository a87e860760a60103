public import KeyedLists
import ListSources

/// A program that does something to one row, whose fields it is given.
///
/// ```swift
/// CommandAction(.arguments(["mail", "archive", "{key}"]))
/// CommandAction(.shell(#"mail archive "$ROW_KEY""#))
/// ```
///
/// In arguments, `{key}` and the names of fields in braces are filled in; a brace that is meant is written twice. No shell reads
/// them, but a value may begin with `-`: a program that takes options needs `--` before it. A line for the shell is not filled in,
/// since a value could then be code. It gets the variables `ROW_KEY`, and `ROW_TITLE`, `ROW_SUBTITLE` and so on for each field that is a
/// text, a number or a truth value; so do programs with arguments. `ACTION_RUN` names the run, so that a program can tell one that it has
/// heard of.
///
/// It runs as the command of a list does (``CommandSource``): in a session of its own, with nothing on its standard input, and all of it
/// ends with this process. What it prints is ignored but for lines `#progress 3/10 Sending`, and the end of what it prints to standard error,
/// which goes to the log. It has failed if it ends with another status than 0.
public struct CommandAction: Hashable, Sendable {
    private let command: CommandSource.Command
    private let workingFolder: String?
    private let environment: [String: String]
    private let outputLimit: Int
    private let patience: Duration

    /// Makes one of the settings that a command of a list has.
    ///
    /// - Parameters:
    ///   - workingFolder: Where it runs; nil: where this process does.
    ///   - environment: Variables that are set besides those of this process.
    ///   - outputLimit: in bytes; a command that prints more fails. 8 MiB unless set.
    ///   - patience: between SIGTERM and SIGKILL. 2 s unless set.
    public init(
        _ command: CommandSource.Command, workingFolder: String? = nil, environment: [String: String] = [:],
        outputLimit: Int = CommandSource.defaultOutputLimit, patience: Duration = CommandSource.defaultPatience
    ) {
        self.command = command
        self.workingFolder = workingFolder
        self.environment = environment
        self.outputLimit = outputLimit
        self.patience = patience
    }

    /// Runs the program for a row, and returns when it has ended.
    ///
    /// - Parameters:
    ///   - run: names this run.
    ///   - report: hears its progress: how much is done, of how much, and a few words. From any thread.
    /// - Throws: as ``CommandSource/rows(into:)``.
    public func perform(
        on row: ListRow, run: String,
        reporting report: @escaping @Sendable (Int, Int?, String?) -> Void = { _, _, _ in }
    ) async throws {
        let values = Self.values(of: row)
        let source = CommandSource(
            try filled(with: values), workingFolder: workingFolder,
            environment: Self.variables(values, run).merging(environment) { _, own in own }, outputLimit: outputLimit,
            patience: patience)
        try await source.rows(into: ProgressSink(report: report))
    }

    /// Why an argument can't be filled in; nil: it can.
    public static func fault(inArgument text: String) -> String? {
        TextTemplate(text) == nil
            ? "a text in which braces hold the name of a field, such as {key}, or are written twice" : nil
    }

    private func filled(with values: [String: String]) throws(SourceError) -> CommandSource.Command {
        guard case .arguments(let arguments) = command else { return command }
        var filled: [String] = []
        for argument in arguments {
            guard let template = TextTemplate(argument) else {
                filled.append(argument)
                continue
            }
            let text = try template.filled { (column) throws(SourceError) in values[column.description] }
            filled.append(text ?? "")
        }
        return .arguments(filled)
    }

    /// The key and the fields that are one text.
    private static func values(of row: ListRow) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in row.fields.members {
            switch value {
            case .string(let text): values[name.string] = text
            case .number, .bool: values[name.string] = String(decoding: value.canonical, as: UTF8.self)
            case .null, .array, .object: break
            }
        }
        values["key"] = row.key.string
        return values.filter { !$0.value.contains("\0") }
    }

    private static func variables(_ values: [String: String], _ run: String) -> [String: String] {
        let named = values.map { name, value in
            let letters = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            return ("ROW_" + String(letters), value)
        }
        return Dictionary(named + [("ACTION_RUN", run)]) { first, _ in first }
    }
}

/// Takes the progress of a program, and ignores what it prints.
private struct ProgressSink: RowSink {
    let report: @Sendable (Int, Int?, String?) -> Void

    func yield(_ rows: [ListRow]) {}

    func progress(_ completed: Int, of total: Int?, note: String?) { report(completed, total, note) }
}
