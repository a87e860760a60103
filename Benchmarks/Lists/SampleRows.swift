import KeyedLists

extension [Row] {
    /// So many rows as of a mailbox, always the same.
    static func sample(_ count: Int) -> [Row] {
        (0..<count).map {
            Row(
                "message-\($0 &* 2_654_435_761 % 1_000_000_007)", title: "Letter number \($0)",
                subtitle: "From somebody who has something to say")
        }
    }
}

extension Row {
    /// The same row in other memory.
    var copy: Row {
        Row(
            key: Key(String(decoding: Array(key.string.utf8), as: UTF8.self)),
            fields: (try? Fields(canonicalising: fields.bytes)) ?? fields)
    }
}

extension KeyedList {
    /// A list of these rows at revision 1.
    init(_ rows: [Row]) {
        self.init()
        adopt(rows)
    }

    /// Makes these the rows of the list; keys that come twice would be a mistake of the benchmark.
    @discardableResult
    mutating func adopt(_ rows: [Row]) -> Commit? {
        do {
            return try replace(with: rows, at: 0)
        } catch {
            preconditionFailure("Sample rows have different keys: \(error)")
        }
    }
}
