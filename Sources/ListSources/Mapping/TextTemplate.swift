/// A text with columns in it: `{first} {last}`, `https://example.org/{id}`. A brace that is meant is written twice.
///
/// What is not there is empty; where nothing of it is there, there is no text.
public struct TextTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Piece: Hashable, Sendable {
        case text(String)
        case column(SourceColumn)
    }

    let pieces: [Piece]

    /// Nil if a brace is not closed, not opened, or holds no column; a column in braces is no text with braces.
    public init?(_ text: String) {
        var scanner = TemplateScanner(text)
        guard let pieces = scanner.scan() else { return nil }
        self.pieces = pieces
    }

    /// The columns in it, in order.
    public var columns: [SourceColumn] {
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
    package func filled(isURL: Bool = false, _ cell: (SourceColumn) throws(SourceError) -> String?) throws(SourceError)
        -> String?
    {
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

    private mutating func column() -> SourceColumn? {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[..<end]
        rest = rest[rest.index(after: end)...]
        return name.contains("{") ? nil : SourceColumn(String(name))
    }

    private mutating func endPlain() {
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
    }
}

/// Names one part of what a source reads: a column of a line, a member of a JSON object, or a text made of some.
///
/// ```
///   column   1     2         3                "2"  -> the second
///            412   root      /sbin/init      "2-" -> "root /sbin/init"
///   header   PID   USER      COMMAND         "USER" -> the second, and the first line is a header
///   JSON     {"id":412,"user":{"name":"root"}}       "/user/name" -> "root"
///   any of these in a text                           "{id} of {/user/name}" -> "412 of root"
/// ```
public enum SourceColumn: Hashable, Sendable, CustomStringConvertible {
    /// The column with this number, from 1.
    case number(Int)
    /// This column and all after it, to the end of the line.
    case rest(Int)
    /// The column that the first line (or in JSON, the member of the object) calls so.
    case name(String)
    /// What is there in the row's JSON. In a table, `/NAME` is the column of that name, whatever the name
    /// looks like, and `/0` the first.
    case pointer(JSONPointer)
    /// A text with other columns in it.
    case template(TextTemplate)

    /// Reads `3`, `3-`, `/user/name`, `{first} {last}` or a name. Nil for an empty text, for column 0, and for braces or
    /// a pointer that are none.
    public init?(_ text: String) {
        if text.contains("{") || text.contains("}") {
            guard let template = TextTemplate(text) else { return nil }
            self = .template(template)
        } else if text.hasPrefix("/") {
            guard let pointer = JSONPointer(text) else { return nil }
            self = .pointer(pointer)
        } else if let isRest = Self.isRest(text) {
            guard let number = Int(isRest ? text.dropLast() : text[...]), number > 0 else { return nil }
            self = isRest ? .rest(number) : .number(number)
        } else {
            guard !text.isEmpty else { return nil }
            self = .name(text)
        }
    }

    /// As it is written in settings.
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .rest(let number): "\(number)-"
        case .name(let name): name
        case .pointer(let pointer): pointer.description
        case .template(let template): template.description
        }
    }

    /// The names that the header of a table has to have for this.
    var headerNames: [String] {
        switch self {
        case .number, .rest: []
        case .name(let name): [name]
        case .pointer(let pointer):
            pointer.tokens.count == 1 && JSONPointer.element(pointer.tokens[0]) == nil ? pointer.tokens : []
        case .template(let template): template.columns.flatMap(\.headerNames)
        }
    }

    /// Whether a text of digits has a dash behind it; nil if it is none.
    private static func isRest(_ text: String) -> Bool? {
        let digits = text.hasSuffix("-") ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return text.hasSuffix("-")
    }
}
