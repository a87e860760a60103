/// What went wrong in a refresh, in words for the person who waits for it. Throw it from a handler; any other error
/// goes to the log in full, and people see a general sentence with an identifier that finds it there.
public struct RefreshFailure: Error, Hashable, Sendable {
    /// A word for programs, such as `unavailable`.
    public var code: String
    /// One sentence for people. No secrets: everybody who watches the list reads it.
    public var message: String
    /// When another try makes sense.
    public var retryAfter: Duration?

    /// A failure that people read as `message`.
    public init(_ message: String, code: String = "failed", retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
