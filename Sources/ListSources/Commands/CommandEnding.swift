import Subprocess

/// How a command's process ended, and the end of what it printed to standard error.
struct CommandEnding {
    let status: TerminationStatus
    let errors: String
    let isShell: Bool

    /// - Throws: `SourceError` unless it ended with status 0.
    func check() throws(SourceError) {
        if status.isSuccess { return }
        throw SourceError(message: message, detail: errors.isEmpty ? "" : "It printed: \(errors)")
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
