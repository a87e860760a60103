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
    /// The list has no row of the key that a window is to be around.
    case unknownRow
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
    /// An internal error of the server; its log has the details.
    case `internal`

    /// Whether, and when, the same message may be sent again.
    public var retry: Retry {
        switch self {
        case .badJSON, .badType, .badField, .tooLarge, .unknownList, .notRefreshable, .unauthorised, .forbidden: .never
        case .unknownRow, .notWatching, .tooManyLists: .now
        case .rateLimited, .unavailable, .internal: .later
        }
    }
}

/// Whether, and when, a message that was answered by an error may be sent again.
public enum Retry: String, CaseIterable, Hashable, Sendable {
    /// The same message will fail again.
    case never
    /// At once, when the client has put right what the error names (watched the list; given up another).
    case now
    /// After a pause: the error's `after`, in milliseconds, or one of the client's own choosing.
    case later
}

/// What went wrong in a run, as shown to its watchers.
public struct RunError: Hashable, Sendable {
    /// A word for programs.
    public var code: String
    /// A message for people, in English.
    public var message: String
    /// What a client's own text for the code has to have in it, such as the status of a command.
    public var values: [String]
    /// How long to wait before another try, in milliseconds, where that is known.
    public var retryAfter: Int?

    /// Makes an error.
    public init(code: String, message: String, values: [String] = [], retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.values = values
        self.retryAfter = retryAfter
    }
}
