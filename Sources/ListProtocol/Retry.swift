/// Whether, and when, a message that was answered by an error may be sent again.
public enum Retry: String, CaseIterable, Hashable, Sendable {
    /// The same message will fail again.
    case never
    /// At once, when the client has put right what the error names (watched the list; given up another).
    case now
    /// After a pause: the error's `after`, in milliseconds, or one of the client's own choosing.
    case later
}
