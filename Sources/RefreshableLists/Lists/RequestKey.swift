/// What makes a request safe to send again.
enum RequestKey: Hashable, Sendable {
    /// A client's own.
    case client(String)
    /// A gesture asks once, however often its release is sent.
    case gesture(session: String, Int)
}
