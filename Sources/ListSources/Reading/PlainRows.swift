import KeyedLists

/// Makes rows of the lines of a table whose fields are columns as they are, straight from their bytes: a third of the time that it
/// takes to make texts of them first. What needs more (a time, a template, JSON) is `CellReading`.
struct PlainRows {
    /// Where a text of a row is: in a column, counted from 0.
    private struct Column {
        let index: Int
        /// The last column of a header holds the rest of the line, without the blanks behind it.
        let isRest: Bool
    }

    /// With the names of fields as JSON has them.
    private let columns: [(name: [UInt8], column: Column)]
    private let key: Column
    /// The last column that is needed.
    private let last: Int
    private var json = JSONWriter(reserving: 256)

    /// - Parameters:
    ///   - fields: in the order of their names.
    ///   - hasBase: whether addresses are relative to something.
    /// - Returns: nil where some field is more than a column.
    init?(
        _ fields: [(field: FieldMapping.Field, name: Key, column: SourceColumn)], key: SourceColumn?, header: [String],
        hasBase: Bool
    ) {
        guard let key = key.flatMap({ Self.column($0, header) }) else { return nil }
        var columns: [(name: [UInt8], column: Column)] = []
        for (field, name, column) in fields {
            let isAddress = field == .link || field == .image
            guard field != .time, !(isAddress && hasBase), let column = Self.column(column, header) else { return nil }
            var json = JSONWriter()
            json.name(name)
            columns.append((json.bytes, column))
        }
        (self.columns, self.key) = (columns, key)
        last = columns.map(\.column.index).reduce(key.index, max)
    }

    private static func column(_ column: SourceColumn, _ header: [String]) -> Column? {
        switch column {
        case .number(let number): Column(index: number - 1, isRest: false)
        case .name: column.index(in: header).map { Column(index: $0, isRest: $0 == header.count - 1) }
        case .rest, .pointer, .template: nil
        }
    }

    /// The row of a line, cut at tabs; nil where it has no key.
    mutating func row(of line: UnsafeRawBufferPointer) -> ListRow? {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: last + 2) { starts in
            var count = 1
            starts[0] = 0
            for offset in line.indices where line[offset] == UInt8(ascii: "\t") {
                starts[count] = offset + 1
                count += 1
                if count > last + 1 { break }
            }
            // Whether the last column that is needed ends at a tab.
            let end = count > last + 1 ? starts[count - 1] - 1 : line.count
            func text(_ column: Column) -> UnsafeRawBufferPointer? {
                guard column.index < min(count, last + 1) else { return nil }
                var stop = column.index + 1 < min(count, last + 1) ? starts[column.index + 1] - 1 : end
                if column.isRest {
                    stop = line.count
                    while stop > starts[column.index], line[stop - 1].isBlank { stop -= 1 }
                }
                return UnsafeRawBufferPointer(rebasing: line[starts[column.index]..<stop])
            }
            guard let key = text(key), !key.isEmpty else { return nil }
            json.bytes.removeAll(keepingCapacity: true)
            json.beginObject()
            for (name, column) in columns {
                guard let text = text(column) else { continue }
                json.raw(name)
                json.value(utf8: text)
            }
            json.endObject()
            // As large as it is, and no larger: there are many.
            let fields = json.bytes.withUnsafeBytes { Array($0) }
            return ListRow(key: Key(String(decoding: key, as: UTF8.self)), fields: Fields(canonical: fields))
        }
    }
}

/// Where the rows of a source's keys stand in it.
struct KeyPlaces {
    private var keys: [Key] = []
    private var places: [Record.Place] = []
    private var index = KeyIndex()

    /// Notes where the row of a key stands.
    ///
    /// - Returns: where one stands that has the same key; then nothing is noted.
    mutating func insert(_ key: Key, at place: Record.Place) -> Record.Place? {
        let hash = KeyIndex.hash(of: key)
        if let known = index.number(hash, where: { keys[$0] == key }) { return places[known] }
        index.insert(keys.count, hash)
        keys.append(key)
        places.append(place)
        return nil
    }

    /// Forgets a key.
    mutating func remove(_ key: Key) {
        let hash = KeyIndex.hash(of: key)
        if let known = index.number(hash, where: { keys[$0] == key }) { index.remove(known, hash) }
    }
}
