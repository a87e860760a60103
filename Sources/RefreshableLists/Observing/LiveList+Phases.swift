/// Observing the list's phases and runs from code.
extension LiveList {
    /// What a list is doing, the same for all its watchers. How far a visitor has pulled is the state of that visitor's
    /// session, not of the list.
    public enum Phase: String, CaseIterable, Hashable, Sendable {
        /// At rest.
        case waiting
        /// A run is under way.
        case loading
        /// The run has ended, and its result is shown.
        case closing
    }

    /// The list's current phase.
    public var phase: Phase { Phase(gate.phase) }

    /// Each change of phase from now on, reported before and after it happens, until the server stops.
    ///
    /// Any number of tasks may iterate, each over a sequence of its own. The list waits for none of them: a sequence
    /// buffers 1024 elements and then drops the oldest.
    public nonisolated var phases: some AsyncSequence<PhaseTransition, Never> & Sendable { transitions.stream() }

    /// Each run that ends from now on, until the server stops. Buffered as ``phases`` is.
    public nonisolated var outcomes: some AsyncSequence<FinishedRun, Never> & Sendable { finishedRuns.stream() }

    /// Publishes the list's state, and notifies observers if its phase changed.
    func publish() {
        let current = gate.current
        enter(Phase(gate.phase), run: current?.run, cause: current?.cause) { publishState() }
    }

    /// Ends a run, and notifies observers.
    func conclude(_ run: RunID, _ outcome: RefreshOutcome) {
        enter(.closing, run: run, cause: work?.cause) { end(run, outcome) }
        if let finished = remembered[run] { finishedRuns.tell(finished) }
    }

    private func enter(_ phase: Phase, run: RunID?, cause: RefreshCause?, _ change: () -> Void) {
        guard phase != toldPhase else { return change() }
        let from = toldPhase
        toldPhase = phase
        transitions.tell(PhaseTransition(stage: .will, from: from, to: phase, run: run, cause: cause))
        change()
        transitions.tell(PhaseTransition(stage: .did, from: from, to: phase, run: run, cause: cause))
    }
}

extension LiveList.Phase {
    fileprivate init(_ phase: RefreshGate.Phase) {
        switch phase {
        case .waiting: self = .waiting
        case .loading: self = .loading
        case .closing: self = .closing
        }
    }
}

/// A change of a list's phase, reported once before and once after it happens.
public struct PhaseTransition: Hashable, Sendable {
    /// Whether the change is about to happen or has happened.
    public enum Stage: Hashable, Sendable {
        /// The new phase is not visible yet. A run that begins has not called its handler; a run that ends has stored
        /// its rows.
        case will
        /// The list is in the new phase.
        case did
    }

    /// Before or after.
    public let stage: Stage
    /// The phase that ends.
    public let from: LiveList.Phase
    /// The phase that begins.
    public let to: LiveList.Phase
    /// The run that begins or has ended; nil when the list goes back to waiting.
    public let run: RunID?
    /// Why that run began.
    public let cause: RefreshCause?
}
