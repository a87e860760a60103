import KeyedLists
public import ListSources
import Subprocess

/// Rows from the output of a program, read while it is printed.
///
/// ```swift
/// CommandSource(
///     .arguments(["git", "log", "-n", "50", "--format=%H%x09%s%x09%an%x09%cI"]), format: .tsv,
///     fields: FieldMapping([.key: .number(1), .title: .number(2), .subtitle: .number(3), .time: .number(4)]))
/// ```
///
/// The program runs in a session of its own, with nothing on its standard input. When its run is cancelled the whole
/// process group is asked to end (SIGTERM) and after `patience` made to (SIGKILL). What it leaves in the background
/// ends with it, and if this process is killed all of it ends as well. The end of what it prints to standard error goes
/// to the log, never to people.
///
/// A line `#progress 3/10 Reading mail` on either output is no row: people see it as how far the run is.
public struct CommandSource: RowSource {
    /// What is run.
    public enum Command: Hashable, Sendable {
        /// A program, found in `PATH` unless its name has a slash, and its arguments. No shell reads them.
        case arguments([String])
        /// A line for `/bin/sh -c`.
        case shell(String)
    }

    /// How the progress of a run is reported.
    public enum Progress: Hashable, Sendable {
        /// By the command itself: lines `#progress COMPLETED/TOTAL NOTE`, the total and the note left out at
        /// will.
        case told
        /// By counting rows, of a number that is expected or unknown. Progress lines of the command are ignored.
        case rows(of: Int?)
    }

    /// 8 MiB.
    public static let defaultOutputLimit = 8 << 20
    /// 2 s.
    public static let defaultPatience = Duration.seconds(2)

    /// What is run at each refresh.
    public let command: Command
    /// How its output becomes rows.
    public let layout: RowLayout
    /// Where it runs; nil: where this process does. A program named with a slash is found from here.
    public let workingFolder: String?
    /// Variables that are set besides those of this process.
    public let environment: [String: String]
    /// How the progress of a run is reported.
    public let progress: Progress
    /// The most it may print to standard output, in bytes.
    public let outputLimit: Int
    /// How long it may take to end when asked to.
    public let patience: Duration

    /// - Parameters:
    ///   - progress: by what the command says unless set.
    ///   - outputLimit: in bytes; a command that prints more fails. 8 MiB unless set.
    ///   - patience: between SIGTERM and SIGKILL. 2 s unless set.
    public init(
        _ command: Command, layout: RowLayout, workingFolder: String? = nil, environment: [String: String] = [:],
        progress: Progress = .told, outputLimit: Int = defaultOutputLimit, patience: Duration = defaultPatience
    ) {
        self.command = command
        self.layout = layout
        self.workingFolder = workingFolder
        self.environment = environment
        self.progress = progress
        self.outputLimit = outputLimit
        self.patience = patience
    }

    /// As above, with all rows in the order in which they are printed.
    public init(
        _ command: Command, format: RowFormat = .lines, fields: FieldMapping = FieldMapping(),
        workingFolder: String? = nil, environment: [String: String] = [:], progress: Progress = .told,
        outputLimit: Int = defaultOutputLimit, patience: Duration = defaultPatience
    ) {
        self.init(
            command, layout: RowLayout(format, fields: fields), workingFolder: workingFolder, environment: environment,
            progress: progress, outputLimit: outputLimit, patience: patience)
    }

    /// Runs the command once and yields its rows as they are printed.
    ///
    /// - Throws: `SourceError` if it can't be started, prints what its format is not, prints too much, or ends with
    ///   another status than 0; `CancellationError` once it has ended because its task was cancelled.
    public func rows(into run: any RowSink) async throws {
        try await RunningCommands.shared.counting { try await read(into: run) }
    }

    /// Returns when no command of this process runs any more. Cancel their runs first.
    ///
    /// For the end of a program: one that exits earlier leaves behind what did not heed SIGTERM yet.
    public static func waitForAll() async {
        await RunningCommands.shared.waitForNone()
    }

    @concurrent
    private func read(into run: any RowSink) async throws {
        let process = CommandProcess(self)
        var output = CommandOutput(self, for: run)
        let ending = try await process.run(for: run) { try output.append($0, to: run) }
        try ending.check()
        try output.finish(to: run)
    }
}

/// The exit of a command's process, and the end of what it printed to standard error.
struct CommandExit {
    let status: TerminationStatus
    let errors: String
    let isShell: Bool

    /// - Throws: `SourceError` unless it ended with status 0.
    func check() throws(SourceError) {
        if status.isSuccess { return }
        let error = SourceError(message: message, detail: errors.isEmpty ? "" : "It printed: \(errors)")
        switch status {
        case .exited(126) where isShell, .exited(127) where isShell: throw error.coded("commandMissing")
        case .exited(let code): throw error.coded("commandFailed", "\(code)")
        case .signaled(let signal): throw error.coded("commandKilled", "\(signal)")
        }
    }

    private var message: String {
        switch status {
        // POSIX XCU 2.8.2: a shell ends so if it can't find, or can't execute, a command.
        case .exited(127) where isShell: "The command was not found (status 127)."
        case .exited(126) where isShell: "The command may not be executed (status 126)."
        case .exited(let code): "The command ended with status \(code)."
        case .signaled(let signal): "The command was ended by signal \(signal)."
        }
    }
}

/// Counts the commands of this process that run, so that it can end after the last of them.
actor RunningCommands {
    static let shared = RunningCommands()

    private var count = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Counts a command for as long as `body` takes.
    func counting<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        count += 1
        defer { ended() }
        return try await body()
    }

    /// Returns when no command runs.
    func waitForNone() async {
        guard count > 0 else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func ended() {
        count -= 1
        guard count == 0 else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
