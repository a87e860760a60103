import KeyedLists

/// The members of a server's message, or of an object in one, as a client reads them. Throws a ``MessageError`` that names
/// the member and what was expected.
struct Members {
    /// 2^53 − 1.
    static let largestWhole = 9_007_199_254_740_991

    let values: [Key: JSONValue]
    /// Where the object stands, as in `last.changes.`; empty for the message itself.
    let path: String

    init(_ values: [Key: JSONValue], path: String = "") {
        self.values = values
        self.path = path
    }

    /// Whether there is a value that is not null.
    func has(_ name: Key) -> Bool {
        switch values[name] {
        case nil, .null: false
        default: true
        }
    }

    func string(_ name: Key) throws(MessageError) -> String {
        guard case .string(let text) = values[name] else { throw mismatch(name, "a string") }
        return text
    }

    func bool(_ name: Key) throws(MessageError) -> Bool {
        guard case .bool(let bool) = values[name] else { throw mismatch(name, "true or false") }
        return bool
    }

    func number(_ name: Key) throws(MessageError) -> Double {
        guard case .number(let number) = values[name] else { throw mismatch(name, "a number") }
        return number
    }

    func whole(_ name: Key) throws(MessageError) -> Int {
        guard let whole = values[name]?.whole else {
            throw mismatch(name, "a whole number from 0 to \(Members.largestWhole)")
        }
        return whole
    }

    func crc32(_ name: Key) throws(MessageError) -> UInt32 {
        guard let crc32 = values[name]?.whole.flatMap({ UInt32(exactly: $0) }) else {
            throw mismatch(name, "a whole number from 0 to \(UInt32.max)")
        }
        return crc32
    }

    func word<Word: RawRepresentable<String>>(_ name: Key, _: Word.Type = Word.self) throws(MessageError) -> Word {
        guard case .string(let text) = values[name], let word = Word(rawValue: text) else {
            throw mismatch(name, "a word of this version")
        }
        return word
    }

    func epoch(_ name: Key) throws(MessageError) -> Epoch {
        guard case .string(let text) = values[name], let epoch = Epoch(text) else {
            throw mismatch(name, "an epoch in base 36")
        }
        return epoch
    }

    func object(_ name: Key) throws(MessageError) -> Members {
        guard case .object(let members) = values[name] else { throw mismatch(name, "an object") }
        return Members(members, path: "\(path)\(name).")
    }

    func array(_ name: Key) throws(MessageError) -> [JSONValue] {
        guard case .array(let elements) = values[name] else { throw mismatch(name, "an array") }
        return elements
    }

    func strings(_ name: Key) throws(MessageError) -> [String] {
        try array(name).map { (value) throws(MessageError) in
            guard case .string(let text) = value else { throw mismatch(name, "an array of strings") }
            return text
        }
    }

    /// What `read` makes of a member, or nil if there is none.
    func optional<Value>(
        _ name: Key, _ read: (Key) throws(MessageError) -> Value
    ) throws(MessageError) -> Value? {
        has(name) ? try read(name) : nil
    }

    func mismatch(_ name: Key, _ expected: String) -> MessageError {
        let message =
            values[name] == nil
            ? "The field \"\(path)\(name)\" is missing: it should be \(expected)."
            : "The field \"\(path)\(name)\" should be \(expected)."
        return MessageError(code: .badField, message: message)
    }
}

extension JSONValue {
    /// The number, if it is whole and from 0 to 2^53 − 1.
    var whole: Int? {
        guard case .number(let number) = self, let whole = Int(exactly: number), 0...Members.largestWhole ~= whole
        else { return nil }
        return whole
    }
}
