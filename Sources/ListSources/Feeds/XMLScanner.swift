/// Cuts XML into tokens, and HTML too. Whatever bytes come, tokens come out: whether they make sense is not its affair.
///
/// ```
///   <?xml …?> <!DOCTYPE …> <!-- … -->          passed over, whatever they declare: no entity, no file, no URL
///   <item a="1" b=2 c>                         start, with its attributes; quotes and values may be missing
///   </item>                                    end
///   caf&eacute; <![CDATA[ <b> & ]]> a < b &    text: what begins neither a tag nor an entity is meant as it is
/// ```
///
/// The bytes are UTF-8. Control characters are left out, as XML forbids them and screens can't show them.
struct XMLScanner {
    /// The most attributes of one tag; those after them are left out.
    private static let mostAttributes = 64

    private var scanner: ByteScanner
    /// Where the last token began, in bytes.
    private(set) var start = 0

    init(_ bytes: [UInt8]) {
        scanner = ByteScanner(bytes)
    }

    var bytes: [UInt8] { scanner.bytes }

    /// The next token; nil at the end.
    mutating func next() -> XMLToken? {
        while let byte = scanner.peek() {
            start = scanner.offset
            guard byte == UInt8(ascii: "<") else { return .text(text()) }
            if let token = markup() { return token }
        }
        return nil
    }

    /// Passes over what stands in an element whose content is no markup, such as a script.
    mutating func skipContent(of name: String) {
        while scanner.skip(past: "</") {
            let end = scanner.take(while: \.isXMLName)
            if String(decoding: end, as: UTF8.self).lowercased() == name { break }
        }
        _ = scanner.skip(past: ">")
    }

    /// Nil for what is passed over.
    private mutating func markup() -> XMLToken? {
        if scanner.skip("<!--") { return scanner.skip(past: "-->") ? nil : .cut }
        if scanner.skip("<![cdata[") { return section() }
        if scanner.skip("<!doctype") { return skipDeclaration() ? nil : .cut }
        if scanner.skip("<!") { return scanner.skip(past: ">") ? nil : .cut }
        if scanner.skip("<?") { return scanner.skip(past: "?>") ? nil : .cut }
        if scanner.peek(1) == UInt8(ascii: "/"), scanner.peek(2)?.isXMLNameStart == true { return endTag() }
        return scanner.peek(1)?.isXMLNameStart == true ? startTag() : .text(text())
    }

    private mutating func section() -> XMLToken {
        let start = scanner.offset
        guard scanner.skip(to: "]]>") else { return .cut }
        let content = scanner.bytes[start..<scanner.offset].filter(\.isXMLText)
        _ = scanner.skip("]]>")
        return .text(String(decoding: content, as: UTF8.self))
    }

    /// XML 1.0 §2.8: what a document type declares may have quotes, comments, and declarations in brackets.
    private mutating func skipDeclaration() -> Bool {
        var depth = 0
        while let byte = scanner.peek() {
            if scanner.skip("<!--") {
                guard scanner.skip(past: "-->") else { return false }
                continue
            }
            scanner.advance()
            switch byte {
            case UInt8(ascii: "\""): guard scanner.skip(past: "\"") else { return false }
            case UInt8(ascii: "'"): guard scanner.skip(past: "'") else { return false }
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    private mutating func text() -> String {
        var text: [UInt8] = []
        repeat { takeLetter(&text) } while scanner.peek().map { $0 != UInt8(ascii: "<") } ?? false
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func takeLetter(_ text: inout [UInt8]) {
        guard let byte = scanner.peek() else { return }
        if byte == UInt8(ascii: "&") {
            text.append(contentsOf: CharacterReference.take(from: &scanner).utf8)
        } else {
            if byte.isXMLText { text.append(byte) }
            scanner.advance()
        }
    }
}

extension XMLScanner {
    private mutating func endTag() -> XMLToken {
        _ = scanner.skip("</")
        let name = name()
        return scanner.skip(past: ">") ? .end(name: name) : .cut
    }

    private mutating func startTag() -> XMLToken {
        _ = scanner.skip("<")
        let name = name()
        var attributes: [String: String] = [:]
        while true {
            scanner.skipBlanks()
            // A tag that nothing closes, before the next.
            if scanner.skip(">") || scanner.peek() == UInt8(ascii: "<") {
                return .start(name: name, attributes: attributes, isEmpty: false)
            }
            if scanner.skip("/>") { return .start(name: name, attributes: attributes, isEmpty: true) }
            guard !scanner.isAtEnd else { return .cut }
            guard let (name, value) = attribute(), attributes.count < Self.mostAttributes else { continue }
            if attributes[name] == nil { attributes[name] = value }
        }
    }

    private mutating func name() -> String {
        String(decoding: scanner.take(while: \.isXMLName), as: UTF8.self).lowercased()
    }

    /// Nil for a mark that begins no name.
    private mutating func attribute() -> (String, String)? {
        guard scanner.peek()?.isXMLNameStart == true else {
            scanner.advance()
            return nil
        }
        let name = name()
        scanner.skipBlanks()
        guard scanner.skip("=") else { return (name, "") }
        scanner.skipBlanks()
        return (name, value())
    }

    private mutating func value() -> String {
        var value: [UInt8] = []
        if let quote = scanner.peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            scanner.advance()
            while let byte = scanner.peek(), byte != quote { takeLetter(&value) }
            scanner.advance()
        } else {
            while let byte = scanner.peek(), !byte.isXMLBlank, byte != UInt8(ascii: ">"), !scanner.comes("/>") {
                takeLetter(&value)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}

extension UInt8 {
    /// XML 1.0 §2.2: no control characters but for white space.
    fileprivate var isXMLText: Bool { self >= 0x20 && self != 0x7F || self == 9 || self == 10 || self == 13 }
}

/// One piece of XML, or of HTML.
enum XMLToken: Hashable {
    /// `<name a="b">`, all names in small letters.
    case start(name: String, attributes: [String: String], isEmpty: Bool)
    /// `</name>`
    case end(name: String)
    /// What stands between tags, and in CDATA sections.
    case text(String)
    /// The bytes end amid a tag, a comment or the like.
    case cut
}

/// Reads bytes from front to back, and never past their end.
struct ByteScanner {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset >= bytes.count }

    /// The byte that comes next, or one after it; nil past the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    /// Whether a text comes next, in capitals or not. It is in small letters of ASCII.
    func comes(_ text: StaticString) -> Bool { comes(text, at: offset) }

    mutating func advance() { offset = min(offset + 1, bytes.count) }

    /// Passes over a text, if it comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        guard comes(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    /// Goes to where a text begins; to the end, and false, if it does not come.
    mutating func skip(to text: StaticString) -> Bool {
        while !isAtEnd {
            if comes(text) { return true }
            offset += 1
        }
        return false
    }

    /// Goes to behind a text; to the end, and false, if it does not come.
    mutating func skip(past text: StaticString) -> Bool { skip(to: text) && skip(text) }

    mutating func skipBlanks() { _ = take(while: \.isXMLBlank) }

    /// Passes over the bytes that a rule holds for.
    mutating func take(while isMeant: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, isMeant(bytes[offset]) { offset += 1 }
        return bytes[start..<offset]
    }

    private func comes(_ text: StaticString, at place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { letters in
            letters.indices.allSatisfy { letters[$0] == bytes[place + $0].lowercased }
        }
    }
}

extension UInt8 {
    /// XML 1.0 §2.3, white space; HTML has the form feed, too.
    var isXMLBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }

    /// XML 1.0 §2.3, as much of it as separates a name from what surrounds it.
    var isXMLNameStart: Bool {
        0x61...0x7A ~= lowercased || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80
    }

    var isXMLName: Bool {
        isXMLNameStart || 0x30...0x39 ~= self || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    fileprivate var lowercased: UInt8 { 0x41...0x5A ~= self ? self + 0x20 : self }
}
