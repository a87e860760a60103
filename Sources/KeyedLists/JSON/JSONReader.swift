/// Reads JSON from bytes, piece by piece, as strictly as RFC 8259 and without a tree of values.
///
///     let offset = try JSONReader.read(bytes) { reader throws(JSONError) in
///         var offset = 0.0
///         try reader.beginObject()
///         while let name = try reader.nextMember() {
///             switch name {
///             case "offset": offset = try reader.readNumber()
///             default: try reader.skipValue()
///             }
///         }
///         try reader.finish()
///         return offset
///     }
///
/// Everything that is passed over is checked, what is skipped too: grammar, UTF-8, escapes (a lone surrogate is an
/// error) and depth. Nothing is allocated but the strings and values that are asked for. Names may repeat here, as no
/// name is remembered; `readValue` and `readFields` reject that.
///
/// After an error the reader stands at its offset and must not be used on. A caller who does not read the value of a
/// member before asking for the next member gets an error, not garbage. Used from one thread.
public struct JSONReader {
    /// The default limit of nesting of arrays and objects.
    public static let usualDepth = 64

    /// What is read. It has to outlive the reader and every `JSONText`.
    let bytes: UnsafeRawBufferPointer
    /// How many bytes have been read.
    public internal(set) var offset = 0
    /// How many arrays and objects may still be opened.
    var remainingDepth: Int
    /// Whether an array or object was opened and nothing in it was asked for: no comma is due then.
    private var isAtStart = false

    /// A reader at the beginning of the bytes, which must stay valid and unchanged while it, or a text of it, is used.
    public init(_ bytes: UnsafeRawBufferPointer, depth: Int = JSONReader.usualDepth) {
        self.bytes = bytes
        remainingDepth = depth
    }

    /// Reads an array of bytes, whose storage is valid until `body` returns.
    public static func read<Result, Failure>(
        _ bytes: [UInt8], depth: Int = JSONReader.usualDepth,
        _ body: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
            var reader = JSONReader(UnsafeRawBufferPointer(buffer), depth: depth)
            return try body(&reader)
        }
    }

    /// The type of the value that comes next.
    public mutating func peek() throws(JSONError) -> JSONKind {
        skipWhitespace()
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw expected("a value")
        }
    }

    /// Enters the object that comes next.
    public mutating func beginObject() throws(JSONError) {
        try begin(UInt8(ascii: "{"), or: "an object")
    }

    /// The name of the next member, whose value is then to be read or skipped; `nil` past the end of the object.
    public mutating func nextMember() throws(JSONError) -> JSONText? {
        guard try isAnother(before: UInt8(ascii: "}"), or: "a comma or the end of the object") else { return nil }
        guard byte == UInt8(ascii: "\"") else { throw expected("the name of a member, in quotation marks") }
        let name = try readText()
        skipWhitespace()
        guard byte == UInt8(ascii: ":") else { throw expected("a colon") }
        offset += 1
        return name
    }

    /// Enters the array that comes next.
    public mutating func beginArray() throws(JSONError) {
        try begin(UInt8(ascii: "["), or: "an array")
    }

    /// Whether the array has another element, which is then to be read or skipped; `false` past the end of the array.
    public mutating func nextElement() throws(JSONError) -> Bool {
        try isAnother(before: UInt8(ascii: "]"), or: "a comma or the end of the array")
    }

    /// Reads `true` or `false`.
    public mutating func readBool() throws(JSONError) -> Bool {
        skipWhitespace()
        guard byte == UInt8(ascii: "t") else {
            try skip("false", or: "true or false")
            return false
        }
        try skip("true", or: "true or false")
        return true
    }

    /// Reads `null`.
    public mutating func readNull() throws(JSONError) {
        skipWhitespace()
        try skip("null", or: "null")
    }

    /// Makes sure that nothing but white space is left.
    public mutating func finish() throws(JSONError) {
        skipWhitespace()
        guard offset == bytes.count else { throw expected("the end") }
    }

    private mutating func begin(_ opening: UInt8, or expectation: StaticString) throws(JSONError) {
        skipWhitespace()
        guard byte == opening else { throw expected(expectation) }
        guard remainingDepth > 0 else { throw expected("no deeper array or object") }
        remainingDepth -= 1
        offset += 1
        isAtStart = true
    }

    private mutating func isAnother(before closing: UInt8, or expectation: StaticString) throws(JSONError) -> Bool {
        skipWhitespace()
        let wasAtStart = isAtStart
        isAtStart = false
        if byte == closing {
            offset += 1
            remainingDepth += 1
            return false
        }
        if wasAtStart { return true }
        guard byte == UInt8(ascii: ",") else { throw expected(expectation) }
        offset += 1
        skipWhitespace()
        return true
    }

    private mutating func skip(_ word: StaticString, or expectation: StaticString) throws(JSONError) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count,
            UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
                .equals(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw expected(expectation) }
        offset = end
    }
}

extension JSONReader {
    /// The byte that comes next, or 0 at the end: nowhere in JSON is a 0 right.
    @inline(__always)
    var byte: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    @inline(__always)
    mutating func skipWhitespace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// The error that at this offset there is something else.
    @inline(never)
    func expected(_ what: StaticString) -> JSONError {
        JSONError(offset: offset, expected: "\(what)")
    }
}

extension JSONReader {
    /// Passes over the value that comes next, checking it.
    public mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case .null: try readNull()
        case .bool: _ = try readBool()
        case .number: _ = try passNumber()
        case .string: _ = try readText()
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .object:
            try beginObject()
            while try nextMember() != nil { try skipValue() }
        }
    }

    /// Reads any value. A name that an object has twice, and a number beyond the doubles, are errors.
    public mutating func readValue() throws(JSONError) -> JSONValue {
        switch try peek() {
        case .null:
            try readNull()
            return .null
        case .bool: return .bool(try readBool())
        case .number: return .number(try readFiniteNumber().value)
        case .string: return .string(try readString())
        case .array: return .array(try readElements())
        case .object: return .object(try readMembers())
        }
    }

    /// Reads a number that a double can hold, in place.
    mutating func readFiniteNumber() throws(JSONError) -> JSONNumber {
        skipWhitespace()
        let start = offset
        let number = try passNumber()
        guard number.isCanonical || number.value.isFinite else {
            offset = start
            throw expected("a number that a double can hold")
        }
        return number
    }

    private mutating func readElements() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try beginArray()
        while try nextElement() { elements.append(try readValue()) }
        return elements
    }

    /// Reads an object into a dictionary. A name that it has twice is an error.
    public mutating func readMembers() throws(JSONError) -> [Key: JSONValue] {
        var members: [Key: JSONValue] = [:]
        try beginObject()
        while let name = try nextMember() {
            let key = Key(name.string)
            guard members[key] == nil else {
                throw JSONError(offset: offset, expected: "no second member \"\(key)\"")
            }
            members[key] = try readValue()
        }
        return members
    }
}

extension JSONReader {
    /// Reads the object that comes next into its canonical form. A name that an object has twice, and a number beyond the
    /// doubles, are errors.
    public mutating func readFields() throws(JSONError) -> Fields {
        guard try peek() == .object else { throw expected("an object") }
        var canonicaliser = Canonicaliser(reserving: min(bytes.count - offset, 1024))
        try canonicaliser.object(from: &self)
        return Fields(canonical: canonicaliser.json.bytes)
    }
}

/// The type of a JSON value, by its first byte.
public enum JSONKind: String, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// Values in brackets.
    case array
    /// Members in braces.
    case object
}

/// Bytes are not the JSON that was expected.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The byte at which reading stopped; the number of bytes if they ended too early.
    public let offset: Int
    /// What should have been there, as in "a comma or the end of the object".
    public let expected: String

    /// Makes the error.
    public init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }

    /// What happened and where, for the sender to mend.
    public var description: String {
        "Cannot read the JSON: at byte \(offset) there should be \(expected)."
    }
}
