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
