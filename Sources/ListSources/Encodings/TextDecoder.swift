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

    /// What was told, or UTF-8.
    private let encoding: TextEncoding
    /// What may become a mark, until there are enough bytes to tell.
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
