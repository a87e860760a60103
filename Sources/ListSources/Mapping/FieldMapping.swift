import KeyedLists

/// Says which column of what a source reads becomes which field of a row.
///
/// An empty mapping means: in JSON every field is the member of its own name, and a row that is a text or a number is
/// its title; in `csv` and `tsv` the same, by column, if the first line has a column named `title`, else the first
/// column is the title and the second the subtitle; in `lines` the whole line is the title. The entries of a feed have all
/// fields, and keep those that a mapping does not name.
public struct FieldMapping: Hashable, Sendable {
    /// The fields of a row that a page draws, and its key.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// What identifies a row.
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
        /// The heading that the row stands under. No mapping has it by default.
        case section

        /// Those that a mapping has by default where the columns are named like them.
        static let named = allCases.filter { $0 != .section }
    }

    /// The column of each field that has one. Without `key`, keys are derived from the row's content.
    public var columns: [Field: SourceColumn]

    /// A mapping of these columns.
    public init(_ columns: [Field: SourceColumn] = [:]) {
        self.columns = columns
    }

    /// The default mapping of a format.
    static func standard(for format: RowFormat) -> FieldMapping {
        switch format {
        case .lines: FieldMapping([.title: .rest(1)])
        case .csv, .tsv: FieldMapping([.title: .number(1), .subtitle: .number(2)])
        case .json, .jsonl, .feed: byName(Field.named)
        }
    }

    /// Whether it says nothing of what rows show.
    var isStandard: Bool { columns.keys.allSatisfy { $0 == .section } }

    /// The mapping, with the columns of another in the place of its own.
    func merging(_ other: FieldMapping) -> FieldMapping {
        FieldMapping(columns.merging(other.columns) { _, own in own })
    }

    /// Each field is the column of its own name.
    static func byName(_ fields: [Field]) -> FieldMapping {
        FieldMapping(Dictionary(uniqueKeysWithValues: fields.map { ($0, .name($0.rawValue)) }))
    }
}

extension FieldMapping: ExpressibleByDictionaryLiteral {
    /// `[.key: .number(1), .title: .rest(2)]`
    public init(dictionaryLiteral elements: (Field, SourceColumn)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

/// How what a source reads becomes rows: its format, where the rows are in it, which part of one becomes which field,
/// and which of them are shown.
public struct RowLayout: Hashable, Sendable {
    /// How bytes are cut into rows and columns.
    public var format: RowFormat
    /// Its encoding; nil: as its byte order mark or its origin declares, else UTF-8.
    public var encoding: TextEncoding?
    /// Where in a document of JSON the array of rows is; empty: it is the document.
    public var rows: JSONPointer
    /// Which column becomes which field.
    public var fields: FieldMapping
    /// Which rows are shown, and in which order.
    public var selection: RowSelection

    /// Rows of this format.
    public init(
        _ format: RowFormat, encoding: TextEncoding? = nil, rows: JSONPointer = JSONPointer([]),
        fields: FieldMapping = FieldMapping(), selection: RowSelection = RowSelection()
    ) {
        self.format = format
        self.encoding = encoding
        self.rows = rows
        self.fields = fields
        self.selection = selection
    }

    /// The column of each field that has one. Entries of a feed keep their own columns for the other fields.
    var columns: FieldMapping {
        guard format == .feed || fields.isStandard else { return fields }
        return FieldMapping.standard(for: format).merging(fields)
    }

    /// The names that the header of a table has to have; where there are some, its first line is one.
    var headerNames: [String] {
        (FieldMapping.Field.allCases.compactMap { fields.columns[$0] } + selection.columns).flatMap(\.headerNames)
    }
}

/// Makes keys for rows whose source names none.
///
/// A key is a hash of the row's canonical fields, so an unchanged row keeps its key from run to run and a changed one
/// is another row. The second of two equal rows is numbered `-2`, and so on: equal rows are no fault here, as they are
/// where a key column was named.
struct DerivedKeys {
    private var seen: [UInt64: Int] = [:]

    /// The key of the next row.
    mutating func key(for fields: Fields) -> Key {
        let hash = Self.hash(fields.bytes)
        let number = seen[hash, default: 0] + 1
        seen[hash] = number
        let base = String(hash, radix: 36)
        return Key(number == 1 ? base : "\(base)-\(number)")
    }

    /// FNV-1a, 64 bits. A collision costs no more than a number behind the key.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
