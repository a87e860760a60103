/// Says which column of what a source reads becomes which field of a row.
///
/// An empty mapping means: in JSON every field is the member of its own name, and a row that is a text or a number is
/// its title; in `csv` and `tsv` the same, by column, if the first line has a column named `title`, else the first
/// column is the title and the second the subtitle; in `lines` the whole line is the title. The entries of a feed have all
/// fields, and keep those that a mapping does not name.
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

    /// The mapping that a format has if nothing is said.
    static func standard(for format: RowFormat) -> FieldMapping {
        switch format {
        case .lines: FieldMapping([.title: .rest(1)])
        case .csv, .tsv: FieldMapping([.title: .number(1), .subtitle: .number(2)])
        case .json, .jsonl, .feed: byName(Field.allCases)
        }
    }

    /// Each field is the column of its own name.
    static func byName(_ fields: [Field]) -> FieldMapping {
        FieldMapping(Dictionary(uniqueKeysWithValues: fields.map { ($0, .name($0.rawValue)) }))
    }
}

extension FieldMapping: ExpressibleByDictionaryLiteral {
    /// `[.key: .number(1), .title: .rest(2)]`
    public init(dictionaryLiteral elements: (Field, Column)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
