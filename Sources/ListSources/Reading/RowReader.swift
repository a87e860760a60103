package import KeyedLists

/// Makes rows of bytes that arrive in pieces. Pure: bytes go in, rows come out.
///
/// ```
///   bytes ──▶ RecordReader: lines, a table, JSON ──▶ RowBuilder: fields, key, filter, order ──▶ rows
/// ```
package struct RowReader {
    private var records: RecordReader
    private var maker: RowBuilder
    /// How many records have come, shown or not; a header is none.
    package var count: Int { maker.count }

    /// - Parameters:
    ///   - material: what is read, as people are told of it: "the output".
    ///   - encoding: what is known of how its letters are written, but for what it says itself.
    ///   - base: where links begin that are relative; nil: they stay as they are.
    package init(
        _ layout: RowLayout, of material: String, encoding: TextEncoding? = nil, base: WebURL? = nil,
        limits: RowBuilder.Limits = RowBuilder.Limits()
    ) {
        records = RecordReader(layout, of: material, encoding: encoding)
        maker = RowBuilder(layout, of: material, base: base, limits: limits)
    }

    /// Whether a key that comes twice is a fault here: else whoever takes the rows finds it.
    package var checksKeys: Bool {
        get { maker.checksKeys }
        set { maker.checksKeys = newValue }
    }

    /// The rows that are whole with these bytes, and need not wait for others to be sorted.
    ///
    /// - Throws: `SourceError`, with the line and what should be there.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws -> [ListRow] {
        var rows: [ListRow] = []
        try records.append(bytes) { if let row = try maker.add($0) { rows.append(row) } }
        return rows
    }

    /// The rows that are left.
    package mutating func finish() throws -> [ListRow] {
        var rows: [ListRow] = []
        try records.finish { if let row = try maker.add($0) { rows.append(row) } }
        return rows + maker.finish()
    }
}
