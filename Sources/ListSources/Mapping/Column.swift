/// Names one column of a command's output.
///
/// ```
///   column   1     2         3                "2"  -> the second
///            412   root      /sbin/init      "2-" -> "root /sbin/init"
///   header   PID   USER      COMMAND         "USER" -> the second, and the first line is a header
/// ```
public enum Column: Hashable, Sendable, CustomStringConvertible {
    /// The column with this number, from 1.
    case number(Int)
    /// This column and all after it, to the end of the line.
    case rest(Int)
    /// The column that the first line (or in `jsonl`, the member of the object) calls so.
    case name(String)

    /// Reads `3`, `3-` or a name. Nil for an empty text and for column 0.
    public init?(_ text: String) {
        let digits = text.hasSuffix("-") ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            guard !text.isEmpty else { return nil }
            self = .name(text)
            return
        }
        guard let number = Int(digits), number > 0 else { return nil }
        self = text.hasSuffix("-") ? .rest(number) : .number(number)
    }

    /// As it is written in settings.
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .rest(let number): "\(number)-"
        case .name(let name): name
        }
    }
}
