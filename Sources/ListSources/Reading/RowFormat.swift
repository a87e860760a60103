/// How bytes become rows. In `lines`, `jsonl` and `tsv` a row is a line; empty lines are skipped.
public enum RowFormat: String, CaseIterable, Hashable, Sendable {
    /// Text. Columns are set apart by blanks, as `ps` and `df` print them; without `fields` the line is the title.
    case lines
    /// One document of JSON with an array of rows in it.
    case json
    /// One JSON object a line; columns are its members.
    case jsonl
    /// Columns are set apart by commas, and by quotes may hold anything: RFC 4180. Semicolons, tabs and bars are taken
    /// for commas where the first line has more of them.
    case csv
    /// Columns are set apart by one tab.
    case tsv
    /// A feed: RSS, Atom or JSON Feed. Its entries have `key title subtitle detail time link image` for columns, which the
    /// fields are unless `fields` says otherwise, and `author`, `categories` and `enclosure`.
    case feed

    /// The format that files of this name have: by what follows the last dot. Nil where that tells nothing.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "txt", "log": self = .lines
        case "xml", "rss", "atom": self = .feed
        default: return nil
        }
    }

    /// Whether it is one document, which is whole or nothing.
    public var isDocument: Bool { self == .json || self == .feed }

    /// Whether rows are objects with members, rather than lines with columns.
    public var hasMembers: Bool { self == .json || self == .jsonl || self == .feed }
}
