import KeyedLists

/// Turns the fields of a message into values, and throws a ``MessageError`` that names the field, what was expected and
/// what came.
struct FieldChecks {
    /// The largest whole number that a JavaScript number holds together with its neighbours: 2^53 − 1.
    private static let largestWhole = 9_007_199_254_740_991.0

    let id: String?
    let limits: Limits

    /// Reads the `id`; without it there is no one to answer.
    init(id field: FieldValue, limits: Limits) throws(MessageError) {
        self.limits = limits
        let expected = "a string of at most \(limits.idLength) characters"
        switch field {
        case .absent, .null: id = nil
        case .text(let text) where text.utf8Count <= limits.idLength: id = text.string
        case .text(let text):
            // A scalar is four bytes at most, so a text that is longer than that need not be copied.
            guard text.utf8Count <= 4 * limits.idLength, text.string.unicodeScalars.count <= limits.idLength else {
                throw MessageError(field: "id", expected: expected, came: field, id: nil)
            }
            id = text.string
        default: throw MessageError(field: "id", expected: expected, came: field, id: nil)
        }
    }

    /// A text of that many bytes.
    func text(_ name: StaticString, _ field: FieldValue, bytes: ClosedRange<Int>) throws(MessageError) -> String {
        guard case .text(let text) = field, bytes.contains(text.utf8Count) else {
            throw mismatch(name, "a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes", field)
        }
        return text.string
    }

    /// A text of that many bytes, or nothing.
    func optionalText(
        _ name: StaticString, _ field: FieldValue, bytes: ClosedRange<Int>
    ) throws(MessageError) -> String? {
        field.isNothing ? nil : try text(name, field, bytes: bytes)
    }

    /// A whole number from 0 to 2^53 − 1.
    func whole(_ name: StaticString, _ field: FieldValue) throws(MessageError) -> Int {
        guard case .number(let number) = field, 0...Self.largestWhole ~= number, let whole = Int(exactly: number) else {
            throw mismatch(name, "a whole number from 0 to \(Int(Self.largestWhole))", field)
        }
        return whole
    }

    /// A displayed offset in pixels.
    func pixels(_ name: StaticString, _ field: FieldValue) throws(MessageError) -> Double {
        guard case .number(let number) = field, -limits.offset...limits.offset ~= number else {
            let limit = FieldValue.number(limits.offset)
            throw mismatch(name, "a number from -\(limit) to \(limit)", field)
        }
        return number
    }

    /// A displayed offset in pixels, or nothing.
    func optionalPixels(_ name: StaticString, _ field: FieldValue) throws(MessageError) -> Double? {
        field.isNothing ? nil : try pixels(name, field)
    }

    /// The error of a field.
    func mismatch(_ name: StaticString, _ expected: String, _ field: FieldValue) -> MessageError {
        MessageError(field: name, expected: expected, came: field, id: id)
    }
}

extension MessageError {
    fileprivate init(field name: StaticString, expected: String, came field: FieldValue, id: String?) {
        let message =
            if case .absent = field {
                "The field \"\(name)\" is missing: it should be \(expected)."
            } else {
                "The field \"\(name)\" should be \(expected), not \(field)."
            }
        self.init(code: .badField, message: message, id: id)
    }
}

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
