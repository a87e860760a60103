/// Makes UTF-8 of a feed: RFC 7303 §3. A mark counts first, then what was told (by settings, or the header
/// `Content-Type`), then what the XML declares.
enum FeedText {
    /// How far declarations are looked for, in bytes.
    private static let beginning = 256

    static func text(of bytes: [UInt8], _ told: TextEncoding?) -> [UInt8] {
        let encoding = told ?? declared(bytes) ?? .utf8
        let text = TextDecoder.text(of: bytes, encoding)
        return text.isUTF8 ? text : repaired(text)
    }

    /// XML 1.0 §F.1: the letters of the declaration show how they are written, and it then says the rest.
    private static func declared(_ bytes: [UInt8]) -> TextEncoding? {
        if bytes.starts(with: [0x3C, 0x00]) { return .utf16 }
        if bytes.starts(with: [0x00, 0x3C]) { return .utf16BigEndian }
        var scanner = ByteScanner(Array(bytes.prefix(beginning)))
        guard scanner.skip(to: "<?xml"), scanner.skip(past: "encoding") else { return nil }
        _ = scanner.take { $0.isXMLBlank || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "'") || $0 == 0x22 }
        let label = String(decoding: scanner.take(while: \.isXMLName), as: UTF8.self)
        // A declaration that can be read in bytes of its own is not UTF-16, whatever it says.
        return TextEncoding(label: label).flatMap { $0 == .utf16 || $0 == .utf16BigEndian ? .utf8 : $0 }
    }

    /// What calls itself UTF-8 and is not: with letters of UTF-8 in it, it is so but for some that were cut; without, it
    /// is windows-1252.
    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let hasLetters = text.unicodeScalars.contains { !$0.isASCII && $0 != "\u{FFFD}" }
        return hasLetters ? Array(text.utf8) : Windows1252.utf8(of: bytes)
    }
}

extension [UInt8] {
    fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
