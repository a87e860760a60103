import KeyedLists

extension [ListRow] {
    /// So many rows as of a mailbox, always the same.
    static func sample(_ count: Int) -> [ListRow] {
        (0..<count).map {
            ListRow(
                "message-\($0 &* 2_654_435_761 % 1_000_000_007)", title: "Letter number \($0)",
                subtitle: "From somebody who has something to say")
        }
    }
}

extension ListRow {
    /// The same row in other memory.
    var copy: ListRow {
        ListRow(
            key: Key(String(decoding: Array(key.string.utf8), as: UTF8.self)),
            fields: (try? Fields(canonicalising: fields.bytes)) ?? fields)
    }
}

extension KeyedList {
    /// A list of these rows at revision 1.
    init(_ rows: [ListRow]) {
        self.init()
        adopt(rows)
    }

    /// Makes these the rows of the list; keys that come twice would be a mistake of the benchmark.
    @discardableResult
    mutating func adopt(_ rows: [ListRow]) -> Commit? {
        do {
            return try replace(with: rows, at: 0)
        } catch {
            preconditionFailure("Sample rows have different keys: \(error)")
        }
    }
}
