/// A text with columns in it: `{first} {last}`, `https://example.org/{id}`. A brace that is meant is written twice.
///
/// What is not there is empty; where nothing of it is there, there is no text.
public struct TextTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Piece: Hashable, Sendable {
        case text(String)
        case column(Column)
    }

    let pieces: [Piece]

    /// Nil if a brace is not closed, not opened, or holds no column; a column in braces is no text with braces.
    public init?(_ text: String) {
        var scanner = TemplateScanner(text)
        guard let pieces = scanner.scan() else { return nil }
        self.pieces = pieces
    }

    /// The columns in it, in order.
    public var columns: [Column] {
        pieces.compactMap { if case .column(let column) = $0 { column } else { nil } }
    }

    /// As it is written in settings.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .column(let column): "{\(column)}"
            case .text(let text): text.flatMap { $0 == "{" || $0 == "}" ? [$0, $0] : [$0] }.map(String.init).joined()
            }
        }.joined()
    }

    /// The text with its columns filled in; nil if none of them is there.
    ///
    /// - Parameters:
    ///   - isURL: whether what is put in is encoded, so that a name with blanks or `&` stays one piece of the URL. What
    ///     stands at the very beginning is not: it may be the URL.
    ///   - cell: what stands in a column.
    func filled(isURL: Bool = false, _ cell: (Column) throws(SourceError) -> String?) throws(SourceError) -> String? {
        var text = ""
        var isFilled = columns.isEmpty
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let plain): text += plain
            case .column(let column):
                guard let value = try cell(column) else { continue }
                isFilled = true
                text += isURL && index > 0 ? Self.encoded(value) : value
            }
        }
        return isFilled ? text : nil
    }

    /// RFC 3986 §2.3, unreserved characters, and the slash: an API's `full_name` may be `owner/name`, two steps of a path.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Takes the pieces off the front of a template.
private struct TemplateScanner {
    private var rest: Substring
    private var pieces: [TextTemplate.Piece] = []
    private var plain = ""

    init(_ text: String) {
        rest = text[...]
    }

    mutating func scan() -> [TextTemplate.Piece]? {
        while let mark = rest.popFirst() {
            switch mark {
            case "{" where rest.first != "{":
                guard let column = column() else { return nil }
                endPlain()
                pieces.append(.column(column))
            case "}" where rest.first != "}": return nil
            case "{", "}":
                rest.removeFirst()
                plain.append(mark)
            default: plain.append(mark)
            }
        }
        endPlain()
        return pieces
    }

    private mutating func column() -> Column? {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[..<end]
        rest = rest[rest.index(after: end)...]
        return name.contains("{") ? nil : Column(String(name))
    }

    private mutating func endPlain() {
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
    }
}
