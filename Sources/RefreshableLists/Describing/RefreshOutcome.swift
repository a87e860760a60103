public import KeyedLists

/// How a run ended.
public enum RefreshOutcome: Hashable, Sendable {
    /// The handler's rows are the list.
    case success
    /// The handler threw, or its rows cannot form a list. The rows are unchanged.
    case failure(RefreshFailure)
    /// It was silent for longer than the list's deadline.
    case timeout(after: Duration)
    /// It was cancelled by a person, or because nobody watched any more.
    case cancelled

    /// Whether the rows are those that the handler gave.
    public var isSuccess: Bool { self == .success }

    /// All values of `name`.
    static let names = ["success", "failure", "timeout", "cancelled"]

    var name: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        }
    }
}

/// What went wrong in a refresh, in words for the person who waits for it. Throw it from a handler; any other error
/// goes to the log in full, and people see a general sentence with an identifier that finds it there.
public struct RefreshFailure: Error, Hashable, Sendable {
    /// A word for programs, such as `unavailable`.
    public var code: String
    /// One sentence for people. No secrets: all watchers of the list read it.
    public var message: String
    /// When another try makes sense.
    public var retryAfter: Duration?
    /// What a page's own text for the code has to have in it.
    var values: [String] = []

    /// A failure with the message that people read.
    public init(_ message: String, code: String = "failed", retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}

/// Why a run began.
public enum RefreshCause: String, Hashable, Sendable {
    /// Somebody watched a list that this process had not loaded yet.
    case initial
    /// A finger.
    case pull
    /// A button, a key, or a `refresh` message.
    case refresh
    /// Swift code, a program over HTTP, or the source itself, which noticed a change.
    case code
    /// The list's own `every`.
    case timer
    /// Somebody asked for the next page. Such a run adds rows at the end, and is no refresh.
    case more
}

/// A run that is over.
public struct FinishedRun: Hashable, Sendable {
    /// Which it was.
    public let id: RunID
    /// Why it began.
    public let cause: RefreshCause
    /// How it ended.
    public let outcome: RefreshOutcome
    /// From before the handler's first instruction until after its last row was committed.
    public let duration: Duration
    /// What it did to the list.
    public let changes: ChangeCounts
}

/// Names one execution of a list's handler. Never repeated within an epoch, nor over a restart of the server.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// The how-manieth run of its list this is, from 1.
    public let number: Int

    init(_ number: Int) { self.number = number }

    /// Reads a name as it stands in messages: `r7`.
    package init?(_ text: String) {
        guard text.first == "r", let number = Int(text.dropFirst()), number > 0, text == "r\(number)" else {
            return nil
        }
        self.number = number
    }

    /// As it stands in messages: `r7`.
    public var description: String { "r\(number)" }
}
