/// Why a source could not produce its rows, once for the person at the page and once for the log.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One or two sentences for the person at the page. Holds no path, no environment and no program output.
    public var message: String
    /// What the person who runs the server needs to mend it, such as the end of a command's error output.
    public var detail: String
    /// When another try makes sense; nil where that is not known.
    public var retryAfter: Duration?

    /// - Parameters:
    ///   - message: for the person at the page.
    ///   - detail: for the log; empty where the message says it all.
    ///   - retryAfter: from now.
    public init(message: String, detail: String = "", retryAfter: Duration? = nil) {
        self.message = message
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Both texts, as a log shows them.
    public var description: String { detail.isEmpty ? message : "\(message) \(detail)" }
}
