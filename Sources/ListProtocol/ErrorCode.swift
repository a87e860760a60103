/// Why a message was not done: the `code` of an `error` message.
///
/// The first four are about the message itself, found before its list is looked up; the others are the server's answer to
/// a message that was well formed.
public enum ErrorCode: String, CaseIterable, Hashable, Sendable {
    /// The frame is not one JSON object.
    case badJSON
    /// The message's `type` is missing or unknown, or the frame is binary.
    case badType
    /// A field is missing, of the wrong type, or out of its range.
    case badField
    /// The message is larger than ``Limits/clientFrame``.
    case tooLarge
    /// No list has that name.
    case unknownList
    /// The message needs a list that this connection watches.
    case notWatching
    /// The list has no refresh action.
    case notRefreshable
    /// The connection already watches ``Limits/listsPerConnection`` lists.
    case tooManyLists
    /// More messages came than ``Limits`` allow.
    case rateLimited
    /// The list needs a token, and none that is valid was shown.
    case unauthorised
    /// The token is valid but does not allow this.
    case forbidden
    /// The list can't be served at the moment.
    case unavailable
    /// The server made a mistake; its log says more.
    case `internal`

    /// Whether, and when, the same message may be sent again.
    public var retry: Retry {
        switch self {
        case .badJSON, .badType, .badField, .tooLarge, .unknownList, .notRefreshable, .unauthorised, .forbidden: .never
        case .notWatching, .tooManyLists: .now
        case .rateLimited, .unavailable, .internal: .later
        }
    }
}
