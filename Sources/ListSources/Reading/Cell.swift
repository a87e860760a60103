/// What stands in a column.
enum Cell: Hashable {
    /// A text, or a number, true or false as JSON writes it.
    case text(String)
    /// An object or an array.
    case structure
}
