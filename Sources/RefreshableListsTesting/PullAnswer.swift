import ListProtocol
public import RefreshableLists

/// What a person's gesture came to, their press of the button, or their wish for more rows.
public enum PullAnswer: Hashable, Sendable {
    /// This run began for it.
    case begins(RunID)
    /// This run was under way, or was begun by the same gesture before.
    case joins(RunID)
    /// It was not pulled far enough, or was dragged back.
    case belowThreshold
    /// The finger was down while the list was loading: pull anew.
    case spent
    /// The list's `minimumInterval` is not over: what is there is the answer.
    case tooSoon
    /// The list's `shouldRefresh` said no, for this reason.
    case refused(String)
    /// There are no more rows: the last page has come.
    case exhausted
    /// The list has no refresh action, so there is nothing to pull.
    case notRefreshable

    /// The run that came of it; nil where none did.
    public var run: RunID? {
        switch self {
        case .begins(let run), .joins(let run): run
        case .belowThreshold, .spent, .tooSoon, .refused, .exhausted, .notRefreshable: nil
        }
    }
}

extension PullAnswer {
    /// - Parameter reference: nil where the list has nothing to tell.
    init(_ reference: RunReference?) {
        switch reference {
        case .run(let name, let joined):
            guard let run = RunID(name) else { preconditionFailure("A list named a run \"\(name)\".") }
            self = joined ? .joins(run) : .begins(run)
        case .noRun(.belowThreshold, _): self = .belowThreshold
        case .noRun(.tooSoon, _): self = .tooSoon
        case .noRun(.spent, _): self = .spent
        case .noRun(.exhausted, _): self = .exhausted
        case nil: self = .refused("The list cannot be read.")
        case .noRun(_, let reason): self = .refused(reason ?? "")
        }
    }
}
