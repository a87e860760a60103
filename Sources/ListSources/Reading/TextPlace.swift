/// A line and a column, both from 1, as editors count them: in characters of UTF-8, not in bytes.
struct TextPlace: Hashable, CustomStringConvertible {
    var line: Int
    var column: Int

    /// The place of the byte with this number.
    init(at offset: Int, in bytes: [UInt8]) {
        var counter = Counter()
        self = counter.place(at: offset, in: bytes)
    }

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    var description: String { "Line \(line), column \(column)" }

    /// Counts on from place to place of one text.
    struct Counter {
        private(set) var place = TextPlace(line: 1, column: 1)
        private var offset = 0

        /// The place of a byte that is not before the last one asked for.
        mutating func place(at target: Int, in bytes: [UInt8]) -> TextPlace {
            for byte in bytes[offset..<max(offset, min(target, bytes.count))] { pass(byte) }
            offset = max(offset, min(target, bytes.count))
            return place
        }

        mutating func pass(_ byte: UInt8) {
            if byte == UInt8(ascii: "\n") {
                place = TextPlace(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
    }
}
