/// Makes UTF-8 of bytes that arrive in pieces, and takes the mark off their front that some editors and spreadsheets put
/// there. What a mark says counts for more than what was told.
///
/// UTF-8 is passed on as it is: whether it is any is for its reader to say, who knows its lines.
struct TextDecoder {
    private enum Form {
        case utf8
        case utf16(UTF16Decoder)
        case windows1252
    }

    /// The declared encoding, or UTF-8.
    private let encoding: TextEncoding
    /// Bytes that may become a byte order mark, until there are enough of them.
    private var beginning: [UInt8] = []
    private var form: Form?

    init(_ encoding: TextEncoding = .utf8) {
        self.encoding = encoding
    }

    /// The text of a whole.
    static func text(of bytes: [UInt8], _ encoding: TextEncoding) -> [UInt8] {
        var decoder = TextDecoder(encoding)
        return decoder.decode(bytes) + decoder.finish()
    }

    /// As much of the text as is whole with these bytes.
    mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard form == nil else { return pass(bytes) }
        beginning.append(contentsOf: bytes)
        return beginning.count < 3 ? [] : begin()
    }

    /// What was held back.
    mutating func finish() -> [UInt8] {
        let text = form == nil ? begin() : []
        guard case .utf16(var decoder) = form else { return text }
        return text + decoder.finish()
    }

    private mutating func begin() -> [UInt8] {
        let mark = TextEncoding.marked(beginning)
        form =
            switch mark?.encoding ?? encoding {
            case .utf8: .utf8
            case .utf16: .utf16(UTF16Decoder(isBigEndian: false))
            case .utf16BigEndian: .utf16(UTF16Decoder(isBigEndian: true))
            case .latin1, .windows1252: .windows1252
            }
        defer { beginning = [] }
        return pass(beginning.dropFirst(mark?.length ?? 0))
    }

    private mutating func pass(_ bytes: some Collection<UInt8>) -> [UInt8] {
        switch form {
        case .utf16(var decoder):
            defer { form = .utf16(decoder) }
            return decoder.decode(bytes)
        case .windows1252: return Windows1252.utf8(of: bytes)
        case .utf8, nil: return Array(bytes)
        }
    }
}

/// The character encoding of a text.
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
    /// The default encoding.
    case utf8 = "utf-8"
    /// Little-endian, unless a byte order mark differs.
    case utf16 = "utf-16"
    /// Big-endian, unless a byte order mark differs.
    case utf16BigEndian = "utf-16be"
    /// Read as windows-1252, which has letters and quotes where this has nothing: what calls itself so mostly is that.
    case latin1 = "iso-8859-1"
    /// Of programs on Windows in western Europe and America.
    case windows1252 = "windows-1252"

    /// By the labels of headers and declarations, in either case: WHATWG, Encoding Standard §4.2.
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

    /// The encoding of a byte order mark, and its length in bytes. Nil: there is none.
    static func marked(_ bytes: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16, 2) }
        return bytes.starts(with: [0xFE, 0xFF]) ? (.utf16BigEndian, 2) : nil
    }
}

/// Makes UTF-8 of UTF-16 that arrives in pieces. Halves that lack the other become U+FFFD.
struct UTF16Decoder {
    let isBigEndian: Bool
    private var byte: UInt8?
    /// The first half of a letter of two.
    private var half: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for second in bytes {
            guard let first = byte else {
                byte = second
                continue
            }
            byte = nil
            take(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first), &text)
        }
        return text
    }

    /// What was left over.
    mutating func finish() -> [UInt8] {
        defer { (byte, half) = (nil, nil) }
        return byte == nil && half == nil ? [] : Array("\u{FFFD}".utf8)
    }

    private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
        if let high = half {
            half = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + UInt32(unit) - 0xDC00
                text.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? .init())
                return
            }
            text.append(contentsOf: "\u{FFFD}".utf8)
        }
        if UTF16.isLeadSurrogate(unit) {
            half = unit
        } else {
            text.append(contentsOf: UTF8.encode(Unicode.Scalar(unit) ?? "\u{FFFD}") ?? .init())
        }
    }
}

/// The encoding windows-1252: WHATWG, Encoding Standard §9.1. Every byte is a letter.
enum Windows1252 {
    /// What the bytes from 0x80 to 0x9F are; the others are what they are in Unicode.
    private static let special: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        0x80...0x9F ~= byte ? special[Int(byte - 0x80)] : Unicode.Scalar(byte)
    }

    static func utf8(of bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: UTF8.encode(scalar(byte)) ?? .init())
            }
        }
        return text
    }
}
