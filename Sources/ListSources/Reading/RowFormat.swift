/// How a command's output becomes rows. Every format has one row a line; empty lines are skipped.
public enum RowFormat: String, CaseIterable, Hashable, Sendable {
    /// Text. Columns are set apart by blanks, as `ps` and `df` print them; without `fields` the line is the title.
    case lines
    /// One JSON object a line; columns are its members.
    case jsonl
    /// Columns are set apart by one tab.
    case tsv
}
