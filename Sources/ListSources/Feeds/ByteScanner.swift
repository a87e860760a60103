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

    /// XML 1.0 §2.3, as much of it as tells a name from what surrounds it.
    var isXMLNameStart: Bool {
        0x61...0x7A ~= lowercased || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80
    }

    var isXMLName: Bool {
        isXMLNameStart || 0x30...0x39 ~= self || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    fileprivate var lowercased: UInt8 { 0x41...0x5A ~= self ? self + 0x20 : self }
}
