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

    init(_ source: CommandSource) {
        self.source = source
    }

    /// Runs the process to its end and hands over its standard output in pieces.
    ///
    /// - Throws: what `body` throws, after the process group ended; `CancellationError`; `SourceError` if the process
    ///   can't be started.
    func run(_ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> CommandEnding {
        do {
            let result = try await Subprocess.run(
                configuration, input: .none, output: .sequence, error: .sequence
            ) { execution in
                try await read(execution, body)
            }
            try Task.checkCancellation()
            return CommandEnding(
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
    private func read(
        _ execution: Execution<NoInput, SequenceOutput, SequenceOutput>,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> String {
        defer { killGroup(execution.processIdentifier) }
        async let errors = Self.tail(of: execution.standardError)
        do {
            for try await chunk in execution.standardOutput {
                try chunk.withUnsafeBytes(body)
                try Task.checkCancellation()
            }
            try Task.checkCancellation()
            let text = try await errors
            try await waitForEnd(of: execution.processIdentifier)
            return text
        } catch {
            await execution.teardown(using: ending)
            throw error
        }
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

    /// Ends what the command left in the background, and what did not heed SIGTERM.
    private func killGroup(_ leader: ProcessIdentifier) {
        // ESRCH says that nobody is left, which is what is wanted.
        _ = kill(-leader.value, SIGKILL)
    }

    private static func tail(of output: SubprocessOutputSequence) async throws -> String {
        var tail = TextTail()
        for try await chunk in output { chunk.withUnsafeBytes { tail.append($0) } }
        return tail.text
    }
}

extension CommandProcess {
    private var configuration: Configuration {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = ending
        return Configuration(
            executable: executable, arguments: Arguments(arguments),
            environment: .inherit.updating(
                Dictionary(uniqueKeysWithValues: source.environment.map { (literal($0), $1) })),
            workingDirectory: source.workingFolder.map { literal($0) }, platformOptions: options)
    }

    private var executable: Executable {
        switch source.command {
        case .shell: .path(literal("/bin/sh"))
        case .arguments(let arguments): executable(arguments.first ?? "")
        }
    }

    private func executable(_ name: String) -> Executable {
        guard name.utf8.contains(UInt8(ascii: "/")) else { return .name(name) }
        guard let folder = source.workingFolder, !name.hasPrefix("/") else { return .path(literal(name)) }
        return .path(literal("\(folder)/\(name)"))
    }

    private var arguments: [String] {
        switch source.command {
        case .shell(let line): ["-c", line]
        case .arguments(let arguments): Array(arguments.dropFirst())
        }
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
        let name = "“\(isShell ? "/bin/sh" : arguments0)”"
        return switch error.code {
        case .executableNotFound:
            SourceError(
                message: "The command \(name) was not found.",
                detail: "Looked for in PATH. Install it, or give its whole path.")
        case .failedToChangeWorkingDirectory:
            SourceError(
                message: "The command \(name) could not be started.",
                detail: "Its working folder \(source.workingFolder ?? "") can't be entered.")
        default: SourceError(message: "The command \(name) could not be run.", detail: "\(error)")
        }
    }

    private var arguments0: String {
        if case .arguments(let arguments) = source.command { arguments.first ?? "" } else { "" }
    }
}
