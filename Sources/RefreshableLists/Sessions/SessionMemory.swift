import WebSockets

/// What is remembered of a session while its connection is lost, and found again by `hello`: its gestures and what they
/// were answered, so that a message sent again has no second effect.
final class SessionMemory: Sendable {
    struct Contents: Sendable {
        /// By the name of the list.
        var pulls: [String: PullMemory] = [:]
        /// Lists that the session may be waiting for a run of.
        var requested: Set<String> = []
    }

    let token: String
    private let contents = Locked(Contents())

    init(token: String) { self.token = token }

    func withContents<Result>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
        try contents.withLock(body)
    }
}
