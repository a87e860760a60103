/// The type of a JSON value, as its first byte tells it.
public enum JSONKind: String, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// Values in brackets.
    case array
    /// Members in braces.
    case object
}
