/// The names that lists may have: they stand in URLs, messages and file names as they are.
enum ListName {
    /// What a name is, for the end of a sentence that starts "expected".
    static let rule = "a name of 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit"

    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetterOrDigit(first) else { return false }
        return name.utf8.count <= 64 && name.utf8.allSatisfy(isAllowed)
    }

    /// The name that a text would have: `My list` is `my-list`. Nil if nothing of it can be in a name.
    static func nearest(_ text: String) -> String? {
        let bytes = text.lowercased().utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
        let start = bytes.drop { !isLetterOrDigit($0) }
        let words = start.split(separator: UInt8(ascii: "-"))
        let name = Array(words.joined(separator: [UInt8(ascii: "-")])).prefix(64)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
