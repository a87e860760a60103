public import ListProtocol

/// Why a client, or something that was asked of it, has failed.
public enum ListClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is none of a server. The text says why.
    case badURL(String, reason: String)
    /// The server closed with a code after which one does not come back unchanged: 4001 wants another token.
    case sentAway(code: UInt16, reason: String)
    /// The server refuses this list, or what was asked of it. Its message is meant for people.
    case refused(ErrorCode, String)
    /// The server ended while it was at work, and no longer knows how far it came.
    case interrupted
    /// The client has ended: nothing more will come.
    case ended
    /// `run()` was called before.
    case wasRun

    /// What was tried, what happened, and what to do.
    public var description: String {
        switch self {
        case .badURL(let url, let reason): "Cannot connect to \(url): \(reason)."
        case .sentAway(let code, let reason):
            "The server ended the connection and does not want it back (\(code)): "
                + (reason.isEmpty ? "it gave no reason." : reason)
        case .refused(_, let message): message
        case .interrupted: "The server ended during the request: it is not known how far it came. Ask again."
        case .ended: "The client has ended. Make another one, and let its run() go on as long as lists are watched."
        case .wasRun: "A client can run only once: make another one."
        }
    }
}
