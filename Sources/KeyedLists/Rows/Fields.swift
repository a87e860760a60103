/// What a row shows: a JSON object, kept as the one text that RFC 8785 gives it, so that equal means equal bytes.
///
/// They are encoded once, when they are made, and go to every watcher as they are.
public struct Fields: Hashable, Sendable, CustomStringConvertible {
    /// The object in UTF-8: no white space, members in the order of their UTF-16 code units.
    public let bytes: [UInt8]

    /// No fields: `{}`.
    public init() {
        bytes = Fields.emptyObject
    }

    /// Makes fields of values; a number that is not finite becomes `null`.
    public init(_ members: [Key: JSONValue]) {
        var json = JSONWriter()
        json.value(members)
        bytes = json.bytes
    }

    /// Makes fields of values whose names are all different and in order: of ASCII, that of their bytes.
    package init(ordered members: [(name: Key, value: JSONValue)]) {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in members {
            json.name(name)
            json.value(value)
        }
        json.endObject()
        bytes = json.bytes
    }

    /// Makes fields of the text of a JSON object, in whatever order and with whatever white space.
    ///
    /// An error is thrown for what is no object, is not RFC 8259, is more than 64 deep, has a name twice in an object, or a
    /// number beyond the doubles. A whole number beyond 2^53 becomes the nearest double, as in every reader of I-JSON.
    public init(canonicalising json: [UInt8]) throws(JSONError) {
        self = try JSONReader.read(json) { (reader) throws(JSONError) in
            let fields = try reader.readFields()
            try reader.finish()
            return fields
        }
    }

    /// Takes bytes that are known to be canonical, as those are that fields once gave to a store. Nothing is checked.
    package init(canonical bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text of the object.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of a field; `nil` if there is none of that name. Reads from the first field on, up to it.
    public subscript(name: Key) -> JSONValue? {
        read { (reader) throws(JSONError) in
            try reader.beginObject()
            while let member = try reader.nextMember() {
                if Key(member.string) == name { return try reader.readValue() }
                try reader.skipValue()
            }
            return nil
        }
    }

    /// All fields, decoded at each call.
    public var members: [Key: JSONValue] {
        read { (reader) throws(JSONError) in try reader.readMembers() }
    }

    /// Whether a condition holds for the name and the text of some field that has a text.
    package func containsText(where holds: (_ name: JSONText, _ text: JSONText) -> Bool) -> Bool {
        read { (reader) throws(JSONError) in
            try reader.beginObject()
            while let name = try reader.nextMember() {
                guard try reader.peek() == .string else {
                    try reader.skipValue()
                    continue
                }
                if holds(name, try reader.readText()) { return true }
            }
            return false
        }
    }

    private func read<Result>(_ body: (inout JSONReader) throws(JSONError) -> Result) -> Result {
        do {
            return try JSONReader.read(bytes, depth: .max, body)
        } catch {
            preconditionFailure("Fields were made of bytes that are not canonical: \(error)")
        }
    }

    /// Whether both have the same bytes.
    public static func == (left: Fields, right: Fields) -> Bool {
        left.bytes.withUnsafeBytes { bytes in right.bytes.withUnsafeBytes { bytes.equals($0) } }
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }

    private static let emptyObject = Array("{}".utf8)
}

extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes, read eight at a time.
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard baseAddress != other.baseAddress else { return true }
        var offset = 0
        while offset + 8 <= count {
            guard word(at: offset) == other.word(at: offset) else { return false }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Whether these bytes come before others: at the first that differs, or by their end.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        let shared = Swift.min(count, other.count)
        while offset + 8 <= shared {
            let (mine, theirs) = (word(at: offset), other.word(at: offset))
            guard mine == theirs else { return UInt64(bigEndian: mine) < UInt64(bigEndian: theirs) }
            offset += 8
        }
        while offset < shared {
            guard self[offset] == other[offset] else { return self[offset] < other[offset] }
            offset += 1
        }
        return count < other.count
    }

    /// The eight bytes from `offset` on, which all lie within.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
