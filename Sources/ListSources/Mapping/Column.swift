/// Names one part of what a source reads: a column of a line, a member of a JSON object, or a text made of some.
///
/// ```
///   column   1     2         3                "2"  -> the second
///            412   root      /sbin/init      "2-" -> "root /sbin/init"
///   header   PID   USER      COMMAND         "USER" -> the second, and the first line is a header
///   JSON     {"id":412,"user":{"name":"root"}}       "/user/name" -> "root"
///   any of these in a text                           "{id} of {/user/name}" -> "412 of root"
/// ```
public enum Column: Hashable, Sendable, CustomStringConvertible {
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
