/// How what a source reads becomes rows: its format, where the rows are in it, which part of one becomes which field,
/// and which of them are shown.
public struct RowLayout: Hashable, Sendable {
    /// How bytes are cut into rows and columns.
    public var format: RowFormat
    /// How its letters are written; nil: as a mark at its beginning says, or where it came from, else in UTF-8.
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

    /// The column of each field that has one. The entries of a feed keep those that nothing is said of.
    var columns: FieldMapping {
        let standard = FieldMapping.standard(for: format)
        guard format == .feed else { return fields.columns.isEmpty ? standard : fields }
        return FieldMapping(standard.columns.merging(fields.columns) { _, own in own })
    }

    /// The names that the header of a table has to have; where there are some, its first line is one.
    var headerNames: [String] {
        (FieldMapping.Field.allCases.compactMap { fields.columns[$0] } + selection.columns).flatMap(\.headerNames)
    }
}
