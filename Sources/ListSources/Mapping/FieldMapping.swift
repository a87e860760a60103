/// Says which column of a command's output becomes which field of a row.
///
/// An empty mapping means: in `jsonl` every field is the member of its own name, in `tsv` the first column is the title
/// and the second the subtitle, in `lines` the whole line is the title.
public struct FieldMapping: Hashable, Sendable {
    /// The fields of a row that a page draws, and its key.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// What tells a row from all others.
        case key
        /// The first line.
        case title
        /// The second line.
        case subtitle
        /// Text at the end of the row.
        case detail
        /// Shown as an age.
        case time
        /// The URL that the row opens.
        case link
        /// The URL of a picture.
        case image
        /// A short mark.
        case badge
    }

    /// The column of each field that has one. Without `key`, keys are derived from the row's content.
    public var columns: [Field: Column]

    /// A mapping of these columns.
    public init(_ columns: [Field: Column] = [:]) {
        self.columns = columns
    }

    /// Whether the first line of the output (but in `jsonl`) names the columns.
    public var usesNames: Bool {
        columns.values.contains { if case .name = $0 { true } else { false } }
    }

    /// The mapping that output of this format has if nothing is said.
    static func standard(for format: RowFormat) -> FieldMapping {
        switch format {
        case .lines: FieldMapping([.title: .rest(1)])
        case .tsv: FieldMapping([.title: .number(1), .subtitle: .number(2)])
        case .jsonl: FieldMapping(Dictionary(uniqueKeysWithValues: Field.allCases.map { ($0, .name($0.rawValue)) }))
        }
    }
}

extension FieldMapping: ExpressibleByDictionaryLiteral {
    /// `[.key: .number(1), .title: .rest(2)]`
    public init(dictionaryLiteral elements: (Field, Column)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
