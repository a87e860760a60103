import KeyedLists

/// What stands in one field of a message, as it was found: not yet copied, not yet checked.
///
/// A text points into the message's bytes.
enum FieldValue {
    case absent
    case null
    case bool(Bool)
    case number(Double)
    case text(JSONText)
    case array
    case object

    /// Reads what comes next. Arrays and objects are checked and passed over: no field of a client's message is one.
    init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .null:
            try reader.readNull()
            self = .null
        case .bool: self = .bool(try reader.readBool())
        case .number: self = .number(try reader.readNumber())
        case .string: self = .text(try reader.readText())
        case .array:
            try reader.skipValue()
            self = .array
        case .object:
            try reader.skipValue()
            self = .object
        }
    }

    /// Whether there is nothing: a field that is null counts as left out.
    var isNothing: Bool {
        switch self {
        case .absent, .null: true
        default: false
        }
    }
}

extension FieldValue: CustomStringConvertible {
    /// What came, for the person who sent it; long texts are cut.
    var description: String {
        switch self {
        case .absent: "nothing"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number) where !number.isFinite: "a number that large"
        case .number(let number): String(decoding: JSONValue.number(number).canonical, as: UTF8.self)
        case .text(let text): FieldValue.quoted(text.string)
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text in quotation marks, at most 40 scalars of it.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > 40 else { return "\"\(text)\"" }
        return "\"\(String(scalars.prefix(40)))…\""
    }
}
