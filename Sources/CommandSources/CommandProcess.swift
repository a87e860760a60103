import ListSources
import Subprocess

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One execution of a command: starts its process group, reads it, and leaves nothing of it behind.
struct CommandProcess {
    private let source: CommandSource
    private let program: CommandProgram

    init(_ source: CommandSource) {
        self.source = source
        program = CommandProgram(source)
    }

    /// Runs the process to its end and hands over its standard output in pieces.
    ///
    /// - Parameter run: hears of progress that is told on standard error.
    /// - Throws: what `body` throws, after the process group ended; `CancellationError`; `SourceError` if the process
    ///   can't be started.
    func run(for run: any RowSink, _ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> CommandExit {
        try program.check()
        do {
            let result = try await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                try await read(execution, for: run, body)
            }
            try Task.checkCancellation()
            return CommandExit(
                status: result.terminationStatus, errors: result.closureResult, isShell: isShell)
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            throw describe(error)
        }
    }

    private var isShell: Bool {
        if case .shell = source.command { true } else { false }
    }

    // While the leader of the group is not reaped (it is when `Subprocess.run` returns) its number can't be another's.
    // Its standard input stays open for as long as this lasts: the guard's pipe.
    private func read(
        _ execution: Execution<CustomWriteInput, SequenceOutput, SequenceOutput>, for run: any RowSink,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> String {
        let leader = execution.processIdentifier
        defer { killGroup(leader) }
        async let errors = errors(execution.standardError, for: run)
        do {
            for try await chunk in execution.standardOutput {
                try chunk.withUnsafeBytes(body)
                try Task.checkCancellation()
                // What it left in the background may print for ever.
                if !isRunning(leader) { killGroup(leader) }
            }
            try Task.checkCancellation()
            let text = try await errors
            try await waitForEnd(of: leader)
            return text
        } catch {
            await execution.teardown(using: ending)
            throw error
        }
    }

    private func errors(_ output: SubprocessOutputSequence, for run: any RowSink) async throws -> String {
        var errors = CommandErrors(source)
        for try await chunk in output {
            chunk.withUnsafeBytes { errors.append($0, to: run) }
            try Task.checkCancellation()
        }
        return errors.finish(to: run)
    }

    /// Waits until the leader of the group has ended: it may go on after it closed its output.
    private func waitForEnd(of leader: ProcessIdentifier) async throws {
        var pause = Duration.milliseconds(1)
        while isRunning(leader) {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    /// Asks without reaping (WNOWAIT). Where no child has ended, waitid succeeds and leaves the number of the signal 0.
    private func isRunning(_ leader: ProcessIdentifier) -> Bool {
        var ending = siginfo_t()
        let status = waitid(P_PID, id_t(leader.value), &ending, WEXITED | WNOHANG | WNOWAIT)
        return status == 0 && ending.si_signo == 0
    }

    /// Kills the background processes of a command, and those that ignored SIGTERM.
    private func killGroup(_ leader: ProcessIdentifier) {
        // ESRCH says that nobody is left, which is what is wanted.
        _ = kill(-leader.value, SIGKILL)
    }
}

extension CommandProcess {
    private var configuration: Configuration {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = ending
        return Configuration(
            executable: .path(literal("/bin/sh")),
            arguments: Arguments(CommandWatchdog.arguments(program.words, patience: source.patience)),
            environment: .inherit.updating(
                Dictionary(uniqueKeysWithValues: source.environment.map { (literal($0), $1) })),
            workingDirectory: source.workingFolder.map { literal($0) }, platformOptions: options)
    }

    private var ending: [TeardownStep] {
        [.send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: source.patience)]
    }

    // Paths belong to a module that this target does not depend on; as literals they need no import of it.
    private func literal<Value: ExpressibleByStringLiteral>(_ text: String) -> Value
    where Value.StringLiteralType == String {
        Value(stringLiteral: text)
    }

    private func describe(_ error: SubprocessError) -> SourceError {
        let name = "“\(isShell ? "/bin/sh" : program.name)”"
        return switch error.code {
        case .executableNotFound:
            SourceError(
                message: "The command \(name) could not be started.",
                detail: "There is no /bin/sh, which starts every command.")
        case .failedToChangeWorkingDirectory:
            SourceError(
                message: "The command \(name) could not be started.",
                detail: "Its working folder \(source.workingFolder ?? "") can't be entered.")
        default: SourceError(message: "The command \(name) could not be run.", detail: "\(error)")
        }
    }
}

/// Ends a command whose server has died: after `kill -9` nothing else would.
///
/// The command's process starts as a shell that leaves a guard behind and then becomes the command. The guard is in the
/// command's process group, but no child of it, and reads a pipe into which nothing is ever written: it ends when the last
/// who could write has ended, and that is this process.
///
/// ```
///   server ──── pipe, never written ────▶ guard: at its end SIGTERM to the group, after `patience` SIGKILL
///     └── process group: sh ══exec══▶ command ──▶ its children
/// ```
///
/// Whoever leaves the process group (setsid(2)) has left the guard as well.
enum CommandWatchdog {
    /// What /bin/sh is called with, to become a program that is guarded. Its standard input has to be the pipe.
    ///
    /// - Parameters:
    ///   - program: a name that is found in `PATH`, or a path; and its arguments.
    ///   - patience: between SIGTERM and SIGKILL, in whole seconds, as POSIX knows no shorter sleep.
    static func arguments(_ program: [String], patience: Duration) -> [String] {
        let seconds = patience.components.seconds + (patience.components.attoseconds > 0 ? 1 : 0)
        return ["-c", script, "sh", "\(seconds)"] + program
    }

    // Twice forked, so that a command that waits for all its children does not wait for the guard.
    private static let script = """
        # Ends this command when its server is gone.
        exec 3<&0 </dev/null
        ( (
            trap '' HUP INT TERM
            cd /
            exec >/dev/null 2>&1
            read -r _ <&3
            kill -TERM 0
            sleep "$1"
            kill -KILL 0
        ) & )
        exec 3<&-
        shift
        exec "$@"
        """
}
