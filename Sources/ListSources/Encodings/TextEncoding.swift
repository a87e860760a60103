/// How the letters of a text are written as bytes.
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
    /// What everything is that says nothing else.
    case utf8 = "utf-8"
    /// The smaller byte first, unless a mark at its beginning says otherwise.
    case utf16 = "utf-16"
    /// The greater byte first, unless a mark at its beginning says otherwise.
    case utf16BigEndian = "utf-16be"
    /// Read as windows-1252, which has letters and quotes where this has nothing: what calls itself so mostly is that.
    case latin1 = "iso-8859-1"
    /// Of programs on Windows in western Europe and America.
    case windows1252 = "windows-1252"

    /// By the names that headers, declarations and people give them, in capitals or not: WHATWG, Encoding Standard §4.2.
    /// Nil for any other.
    public init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16", "utf16", "utf-16le", "ucs-2", "unicode": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii": self = .latin1
        case "windows-1252", "cp1252", "x-cp1252", "win-1252": self = .windows1252
        default: return nil
        }
    }

    /// What a mark at the beginning of a text says, and how many bytes it has. Nil: there is none.
    static func marked(_ bytes: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16, 2) }
        return bytes.starts(with: [0xFE, 0xFF]) ? (.utf16BigEndian, 2) : nil
    }
}
