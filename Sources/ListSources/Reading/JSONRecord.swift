import KeyedLists

/// A JSON value, read in place: what is not asked for is not made.
///
/// A whole number keeps its digits, however many: as a double, two neighbours of 64 bits would be one key.
struct JSONRecord {
    let bytes: [UInt8]

    /// - Throws: `JSONError` if the bytes are not one JSON value.
    init(_ bytes: [UInt8]) throws(JSONError) {
        try JSONReader.read(bytes) { (reader) throws(JSONError) in
            try reader.skipValue()
            try reader.finish()
        }
        self.bytes = bytes
    }

    /// Takes bytes that were read before, and found to be one JSON value.
    init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    var kind: JSONKind { read { (reader) throws(JSONError) in try reader.peek() } }

    /// The names of an object's members, in order; of another value none.
    var names: [String] {
        read { (reader) throws(JSONError) in
            guard try reader.peek() == .object else { return [] }
            var names: [String] = []
            try reader.beginObject()
            while let name = try reader.nextMember() {
                names.append(name.string)
                try reader.skipValue()
            }
            return names
        }
    }

    /// The text of a value that is neither null nor of others.
    var plainText: String? {
        if case .text(let text) = self[JSONPointer([])] { text } else { nil }
    }

    /// What is at the end of the way; nil for null, and where the way leads nowhere.
    subscript(pointer: JSONPointer) -> Cell? {
        read { (reader) throws(JSONError) in try reader.find(pointer) ? try cell(&reader) : nil }
    }

    private func cell(_ reader: inout JSONReader) throws(JSONError) -> Cell? {
        switch try reader.peek() {
        case .null: return nil
        case .object, .array: return .structure
        case .string: return .text(try reader.readString())
        case .bool: return .text(try reader.readBool() ? "true" : "false")
        case .number:
            let start = reader.offset
            let number = try reader.readNumber()
            let digits = bytes[start..<reader.offset]
            let isWhole = digits.dropFirst().allSatisfy { (48...57).contains($0) }
            return .text(
                String(
                    decoding: isWhole || !number.isFinite ? Array(digits) : JSONValue.number(number).canonical,
                    as: UTF8.self))
        }
    }

    func read<Result>(_ body: (inout JSONReader) throws(JSONError) -> Result) -> Result {
        do {
            return try JSONReader.read(bytes, body)
        } catch {
            preconditionFailure("A record was made of bytes that were not checked: \(error)")
        }
    }
}

extension JSONReader {
    /// Goes to the value that a pointer leads to; false where there is none. Of members with one name the first counts.
    mutating func find(_ pointer: JSONPointer) throws(JSONError) -> Bool {
        for token in pointer.tokens {
            switch try peek() {
            case .object: guard try enter(member: token) else { return false }
            case .array:
                guard let element = JSONPointer.element(token), try enter(element: element) else { return false }
            default: return false
            }
        }
        return true
    }

    private mutating func enter(member token: String) throws(JSONError) -> Bool {
        let key = Key(token)
        try beginObject()
        while let name = try nextMember() {
            if Key(name.string) == key { return true }
            try skipValue()
        }
        return false
    }

    private mutating func enter(element number: Int) throws(JSONError) -> Bool {
        try beginArray()
        var left = number
        while try nextElement() {
            if left == 0 { return true }
            left -= 1
            try skipValue()
        }
        return false
    }
}
