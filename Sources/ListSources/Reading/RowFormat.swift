/// How bytes become rows. In `lines`, `jsonl` and `tsv` a row is a line; empty lines are skipped.
public enum RowFormat: String, CaseIterable, Hashable, Sendable {
    /// Text. Columns are set apart by blanks, as `ps` and `df` print them; without `fields` the line is the title.
    case lines
    /// One document of JSON with an array of rows in it.
    case json
    /// One JSON object a line; columns are its members.
    case jsonl
    /// Columns are set apart by commas, and by quotes may hold anything: RFC 4180. Semicolons, tabs and bars are taken
    /// for commas where the first line has more of them.
    case csv
    /// Columns are set apart by one tab.
    case tsv
    /// A feed: RSS, Atom or JSON Feed. Its entries have `key title subtitle detail time link image` for columns, which the
    /// fields are unless `fields` says otherwise, and `author`, `categories` and `enclosure`.
    case feed

    /// The format of files with this name, by its extension; nil if it is unknown.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "txt", "log": self = .lines
        case "xml", "rss", "atom": self = .feed
        default: return nil
        }
    }

    /// Whether it is one document, which is whole or nothing.
    public var isDocument: Bool { self == .json || self == .feed }

    /// Whether rows are objects with members, rather than lines with columns.
    public var hasMembers: Bool { self == .json || self == .jsonl || self == .feed }
}

/// A line and a column, both from 1, as editors count them: in characters of UTF-8, not in bytes.
package struct TextPosition: Hashable, CustomStringConvertible {
    var line: Int
    var column: Int

    /// The place of the byte with this number.
    package init(at offset: Int, in bytes: [UInt8]) {
        var counter = Counter()
        self = counter.place(at: offset, in: bytes)
    }

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "Line \(line), column \(column)" }

    /// Counts on from place to place of one text.
    struct Counter {
        private(set) var place = TextPosition(line: 1, column: 1)
        private var offset = 0

        /// The place of a byte that is not before the last one asked for.
        mutating func place(at target: Int, in bytes: [UInt8]) -> TextPosition {
            for byte in bytes[offset..<max(offset, min(target, bytes.count))] { pass(byte) }
            offset = max(offset, min(target, bytes.count))
            return place
        }

        mutating func pass(_ byte: UInt8) {
            if byte == UInt8(ascii: "\n") {
                place = TextPosition(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
    }
}

/// Sizes, for messages.
package enum ByteCount {
    /// `200 bytes`, `256 KiB`, `8 MiB`.
    package static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<1024: "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        default: "\(bytes >> 20) MiB"
        }
    }
}
