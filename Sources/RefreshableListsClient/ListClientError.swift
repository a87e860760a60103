public import ListProtocol

/// Why a client, or something that was asked of it, has failed.
public enum ListClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is none of a server. The text says why.
    case badURL(String, reason: String)
    /// The server could not be reached at the first try, and the client was not to wait for it. The text says why.
    case unreachable(String)
    /// The server closed with a code after which one does not come back unchanged: 4001 wants another token.
    case sentAway(code: UInt16, reason: String)
    /// The server refuses this list, or what was asked of it. Its message is meant for people.
    case refused(ErrorCode, String)
    /// The client has ended: nothing more will come.
    case ended
    /// `run()` was called before.
    case wasRun

    /// What was tried, what happened, and what to do.
    public var description: String {
        switch self {
        case .badURL(let url, let reason): "Cannot connect to \(url): \(reason)."
        case .unreachable(let reason): reason
        case .sentAway(let code, let reason):
            "The server ended the connection and does not want it back (\(code)): "
                + (reason.isEmpty ? "it gave no reason." : reason)
        case .refused(_, let message): message
        case .ended: "The client has ended. Make another one, and let its run() go on as long as lists are watched."
        case .wasRun: "A client can run only once: make another one."
        }
    }
}
