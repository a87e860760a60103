import WebSockets

/// One call of a `RefreshAction`: somebody's task, waiting for a run to end.
final class RefreshCall: Sendable {
    private enum State {
        case asking
        case waiting(CheckedContinuation<RefreshOutcome, Never>)
        case over(RefreshOutcome)
    }

    private let state = Locked(State.asking)

    /// Whether there is nothing to wait for any more.
    var isOver: Bool {
        state.withLock { state in
            if case .over = state { true } else { false }
        }
    }

    /// What it is told in the end. To be asked for once.
    var outcome: RefreshOutcome {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> RefreshOutcome? in
                    if case .over(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    /// Tells the outcome. The first one counts.
    func end(_ outcome: RefreshOutcome) {
        let waiting = state.withLock { state -> CheckedContinuation<RefreshOutcome, Never>? in
            switch state {
            case .over: return nil
            case .asking:
                state = .over(outcome)
                return nil
            case .waiting(let continuation):
                state = .over(outcome)
                return continuation
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// Who this is to the gate.
    var requester: RefreshGate.Requester { .call(ObjectIdentifier(self)) }
}
