import KeyedLists

/// A row whose title is a word: `"a"` is titled a, `"a=1"` has the key a and is titled 1.
func row(_ text: Substring) -> ListRow {
    let parts = text.split(separator: "=")
    return ListRow(String(parts[0]), title: String(parts.last ?? parts[0]))
}

/// Rows from words: `"a b=2 c"`.
func rows(_ text: String) -> [ListRow] {
    text.split(separator: " ").map { row($0) }
}

extension KeyedList {
    /// A list of these words at revision 1, or an empty one at 0.
    init(_ text: String) {
        self.init()
        _ = commit(KeyedListsTests.rows(text).map { .set($0, .last) }, at: 0)
    }

    /// The list in words, where a title that is the key is left out.
    var text: String {
        rows.map { placed in
            let title = placed.fields["title"]
            return title == .string(placed.key.string) ? placed.key.string : "\(placed.key)=\(title?.text ?? "?")"
        }.joined(separator: " ")
    }

    /// Replaces the rows by those of these words; the test goes on without a commit if a key is there twice.
    mutating func replace(with text: String, sparing: Set<Key> = []) throws -> Commit? {
        try replace(with: KeyedListsTests.rows(text), sparing: sparing, at: 0)
    }

    /// Streams the rows of these words.
    mutating func stream(_ text: String, after last: Key? = nil, sparing: Set<Key> = []) -> Commit? {
        stream(KeyedListsTests.rows(text), after: last, sparing: sparing, at: 0)
    }
}

extension Fields {
    /// Where the bytes lie.
    var address: UnsafeRawPointer? { bytes.withUnsafeBytes(\.baseAddress) }
}

extension JSONValue {
    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension Patch {
    /// The patch in words: `"+a"` sets a with its fields, `"a"` only moves it, `"-a"` removes it.
    var text: String {
        (set.map { ($0.fields == nil ? "" : "+") + $0.key.string } + remove.map { "-\($0)" }).joined(separator: " ")
    }
}

extension String {
    /// The bytes in UTF-8.
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    /// The text of UTF-8 bytes.
    var text: String { String(decoding: self, as: UTF8.self) }
}
