/// What lines of the log look like.
enum LogFormat: String, CaseIterable {
    /// For people.
    case text
    /// An object a line, for programs.
    case json
}
