/// Why a run began.
public enum RefreshCause: String, Hashable, Sendable {
    /// Somebody watched a list that this process had not loaded yet.
    case initial
    /// A finger.
    case pull
    /// A button, a key, or a `refresh` message.
    case refresh
    /// Swift code, a program over HTTP, or the source itself, which noticed a change.
    case code
    /// The list's own `every`.
    case timer
    /// Somebody asked for the next page. Such a run adds rows at the end, and is no refresh.
    case more
}
