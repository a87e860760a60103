package import ListProtocol
import WebSockets

/// What `RefreshableListsTesting` needs to go with a list step by step.
extension LiveList {
    /// The run under way; nil where it waits for a store that another holds, and so for the clock.
    package var currentRun: RunID? { changes.isEmpty || changes.isHeld ? gate.current?.run : nil }

    /// Somebody comes to watch, in this process.
    package func session() -> LocalSession { LocalSession(watching: self) }

    /// Begins a refresh as code does, and says at once what came of that. Nil where the list can't be read.
    package func begin(
        isAfter: Bool = false, whenOver: @escaping @Sendable (FinishedRun?) -> Void = { _ in }
    ) -> RunReference? {
        let answer = Locked<RunReference?>(nil)
        refresh(.init(requester: .program, cause: .code, isAfter: isAfter)) { started in
            answer.withLock { $0 = started?.reference }
        } whenOver: {
            whenOver($0)
        }
        return answer.withLock(\.self)
    }

    /// Has all changes of phase and all runs that end told at once, on the list's thread.
    package nonisolated func hear(
        transitions: @escaping @Sendable (PhaseTransition) -> Void, runs: @escaping @Sendable (FinishedRun) -> Void
    ) {
        self.transitions.hear(transitions)
        finishedRuns.hear(runs)
    }
}
