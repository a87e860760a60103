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
