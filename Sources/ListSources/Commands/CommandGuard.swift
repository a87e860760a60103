/// Ends a command whose server is gone: after `kill -9` nobody else would.
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
enum CommandGuard {
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
