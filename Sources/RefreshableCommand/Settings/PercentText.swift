/// Texts as they stand in a URL.
enum PercentText {
    /// As one part of a path or of a query: all but letters, digits and `-._~` as their bytes (RFC 3986 §2.1).
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
