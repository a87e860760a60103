/// Why a message could not be read: what a server answers with an `error` message, to its sender alone.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// badJSON, badType, badField or tooLarge.
    public var code: ErrorCode
    /// One or two sentences for the person who wrote the message.
    public var message: String
    /// The message's `id`, where it could be read although something else is wrong.
    public var id: String?

    /// Makes an error.
    public init(code: ErrorCode, message: String, id: String? = nil) {
        self.code = code
        self.message = message
        self.id = id
    }

    /// The answer to a binary frame.
    public static let binary = MessageError(
        code: .badType, message: "A binary frame came. Send each message as a text frame with one JSON object.")

    /// The answer to a message of more than `limit` bytes.
    public static func tooLarge(limit: Int) -> MessageError {
        MessageError(code: .tooLarge, message: "The message is larger than \(limit) bytes. Send a smaller one.")
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The `error` message that says this to the sender.
    public var answer: ServerMessage { .error(id: id, code: code, message: message, after: nil) }
}
