/// Any JSON value, as a tree.
///
/// Two values are equal if RFC 8785 writes them alike, up to numbers that are not finite: strings and names are compared
/// by their bytes, where Swift's strings merge NFC and NFD.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// As I-JSON (RFC 7493) has it: a double. A whole number beyond 2^53 is the nearest double; one that must be exact
    /// belongs in a string. One that is not finite is written as `null`.
    case number(Double)
    /// A string, as the Unicode it stands for.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members by name, in no order.
    case object([Key: JSONValue])

    /// Reads a whole text of JSON: RFC 8259, at most 64 arrays and objects deep, no name twice in an object.
    public init(json bytes: [UInt8]) throws(JSONError) {
        self = try JSONReader.read(bytes) { (reader) throws(JSONError) in
            let value = try reader.readValue()
            try reader.finish()
            return value
        }
    }

    /// The one form that RFC 8785 gives this value.
    public var canonical: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    /// Appends the one form that RFC 8785 gives this value.
    public func canonical(into bytes: inout [UInt8]) {
        // A writer would put a comma after what is there; the caller's bytes need not be JSON.
        bytes.append(contentsOf: canonical)
    }
}

extension JSONValue: Hashable {
    /// Whether RFC 8785 writes both alike.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): Key(left) == Key(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Feeds the value, a string by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(Key(string))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONWriter {
    /// Writes a value, the members of objects in the order of RFC 8785.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.value(bool)
        case .number(let number): self.value(number)
        case .string(let string): self.value(string)
        case .array(let elements):
            beginArray()
            elements.forEach { self.value($0) }
            endArray()
        case .object(let members): self.value(members)
        }
    }

    /// Writes an object, its members in the order of RFC 8785.
    public mutating func value(_ members: [Key: JSONValue]) {
        beginObject()
        for (name, value) in members.sorted(by: { $0.key.precedes($1.key) }) {
            self.name(name)
            self.value(value)
        }
        endObject()
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is null.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// A literal `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// A literal whole number.
    public init(integerLiteral value: Int) {
        self = .number(Double(value))
    }

    /// A literal number.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }

    /// A literal string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// A literal array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// A literal object, in which no name may be twice.
    public init(dictionaryLiteral members: (Key, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
