/// How what a source reads becomes rows: its format, where the rows are in it, which part of one becomes which field,
/// and which of them are shown.
public struct RowLayout: Hashable, Sendable {
    /// How bytes are cut into rows and columns.
    public var format: RowFormat
    /// Where in a document of JSON the array of rows is; empty: it is the document.
    public var rows: JSONPointer
    /// Which column becomes which field.
    public var fields: FieldMapping
    /// Which rows are shown, and in which order.
    public var selection: RowSelection

    /// Rows of this format.
    public init(
        _ format: RowFormat, rows: JSONPointer = JSONPointer([]), fields: FieldMapping = FieldMapping(),
        selection: RowSelection = RowSelection()
    ) {
        self.format = format
        self.rows = rows
        self.fields = fields
        self.selection = selection
    }

    /// The names that the header of a table has to have; where there are some, its first line is one.
    var headerNames: [String] {
        (FieldMapping.Field.allCases.compactMap { fields.columns[$0] } + selection.columns).flatMap(\.headerNames)
    }
}
