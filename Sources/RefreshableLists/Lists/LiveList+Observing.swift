/// Code follows what the list does.
extension LiveList {
    /// Where a list is between two runs. Whether somebody has pulled it far enough is each person's own affair.
    public enum Phase: String, CaseIterable, Hashable, Sendable {
        /// At rest.
        case waiting
        /// A run is under way.
        case loading
        /// The run has ended, and its result is shown.
        case closing
    }

    /// Where the list is.
    public var phase: Phase { Phase(gate.phase) }

    /// Each change of phase from now on, told before and after it happens, until the server stops.
    ///
    /// Any number of tasks may follow, each with a sequence of its own. Nothing waits for them; one that is more than a
    /// thousand changes behind misses the oldest.
    public nonisolated var phases: some AsyncSequence<PhaseTransition, Never> & Sendable { transitions.stream() }

    /// Each run that ends from now on, until the server stops. What `phases` says of slow readers holds here.
    public nonisolated var outcomes: some AsyncSequence<FinishedRun, Never> & Sendable { finishedRuns.stream() }

    /// Tells the list's state, and those who follow it if that is another phase.
    func publish() {
        let current = gate.current
        enter(Phase(gate.phase), run: current?.run, cause: current?.cause) { publishState() }
    }

    /// Ends a run, and tells those who follow.
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
