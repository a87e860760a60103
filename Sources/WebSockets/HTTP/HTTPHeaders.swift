/// Header fields in order; names are compared without regard to case (RFC 9110 §5.1).
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One field.
    package struct Field: Hashable, Sendable {
        /// As given; compare it without regard to case.
        package var name: String
        /// Without surrounding space.
        package var value: String
    }

    /// All fields, in the order in which they were added.
    package private(set) var fields: [Field] = []

    /// No fields.
    package init() {}

    /// The fields, in the order of the literal.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// The value of the first field of that name. Setting replaces all of that name; nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field, beside others of that name.
    package mutating func add(_ name: String, _ value: String) {
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

/// One header field as it stands on its line: `name: value` (RFC 9112 §5). Pure.
struct FieldLine {
    let name: String
    /// Without the spaces around it. UTF-8 as browsers and tools write it, or else ISO 8859-1 (RFC 9110 §5.5).
    let value: String

    /// - Parameter line: without its end; no control character but tabs is in it.
    init(_ line: UnsafeRawBufferPointer) throws(HeadFault) {
        guard let first = line.first, !Self.isSpace(first) else { throw Self.isFolded }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < line.count else { throw Self.hasNoColon }
        self.name = String(decoding: name, as: UTF8.self)
        guard self.name.isToken else { throw name.last.map(Self.isSpace) == true ? Self.hasSpace : Self.isNoName }
        let rest = line[(name.endIndex + 1)...].drop(while: Self.isSpace)
        let end = rest.lastIndex { !Self.isSpace($0) }
        value = Self.text(end.map { rest[...$0] } ?? rest.prefix(0))
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// RFC 9112 §5.2.
    private static let isFolded = HeadFault("A header goes on in a second line. Send each header in one line.")
    private static let hasNoColon = HeadFault("A header has no colon. Send it as Name: value.")
    /// RFC 9112 §5.1: proxies disagree about it.
    private static let hasSpace = HeadFault("A header has a space before its colon. Send it as Name: value.")
    private static let isNoName = HeadFault(
        "The name of a header has a character that no name has. Send letters, digits and hyphens, as in Accept-Language."
    )
}

extension StringProtocol {
    /// RFC 9110 §5.6.2.
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60,
                    0x7C, 0x7E:
                    true
                default: false
                }
            }
    }
}
