/// What went wrong in a run, as told to the people who watch.
public struct RunError: Hashable, Sendable {
    /// A word for programs.
    public var code: String
    /// A text for people.
    public var message: String
    /// How long to wait before another try, in milliseconds, where that is known.
    public var retryAfter: Int?

    /// Makes an error.
    public init(code: String, message: String, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
