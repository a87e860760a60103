/// Header fields in order; names are compared without regard to case (RFC 9110 §5.1).
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// As given; compare it without regard to case.
        public var name: String
        /// Without surrounding space.
        public var value: String
    }

    /// All fields, in the order in which they were added.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The fields, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// The value of the first field of that name. Setting replaces all of that name; nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field, beside others of that name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds a field as it was received: one whose name is there already continues its list (RFC 9110 §5.3).
    mutating func receive(_ name: String, _ value: String) {
        guard let index = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
            return add(name, value)
        }
        guard !value.isEmpty else { return }
        // The one list that semicolons part (RFC 9113 §8.2.3).
        let comma = name.equalsIgnoringCase("Cookie") ? "; " : ", "
        fields[index].value += fields[index].value.isEmpty ? value : comma + value
    }

    /// Whether a comma-separated field holds `token`, without regard to case.
    func list(_ name: String, contains token: String) -> Bool {
        list(name).contains { $0.equalsIgnoringCase(token) }
    }

    /// The members of a comma-separated field, without surrounding space.
    func list(_ name: String) -> [Substring] {
        (self[name] ?? "").utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingSpace() }
            .filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// ASCII letters alone are folded, as HTTP has it.
    func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Without the spaces and tabs on both sides (RFC 9110 §5.6.3).
    func trimmingSpace() -> SubSequence {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = unicodeScalars.firstIndex(where: { !isSpace($0) }),
            let last = unicodeScalars.lastIndex(where: { !isSpace($0) })
        else { return prefix(0) }
        return self[start..<unicodeScalars.index(after: last)]
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
