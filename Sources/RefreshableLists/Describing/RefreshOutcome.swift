/// How a run ended.
public enum RefreshOutcome: Hashable, Sendable {
    /// The rows are those that the handler gave.
    case success
    /// The handler threw, or what it gave cannot be a list. The rows are as they were.
    case failure(RefreshFailure)
    /// It was silent for longer than the list's deadline.
    case timeout(after: Duration)
    /// A person stopped it, or nobody was there any more.
    case cancelled

    /// Whether the rows are those that the handler gave.
    public var isSuccess: Bool { self == .success }

    /// All that `name` may be.
    static let names = ["success", "failure", "timeout", "cancelled"]

    var name: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        }
    }
}
