import ListProtocol

/// Why a list is no longer watched.
enum WatchError: Error, CustomStringConvertible {
    /// The server closed with a code after which one does not come back.
    case sentAway(code: UInt16, reason: String)
    /// The server has no such list, or not for us.
    case refused(ErrorCode, String)

    var description: String {
        switch self {
        case .sentAway(let code, let reason):
            "The server ended the connection and does not want it back (\(code)): "
                + (reason.isEmpty ? "it gave no reason." : reason)
        case .refused(_, let message): message
        }
    }
}
