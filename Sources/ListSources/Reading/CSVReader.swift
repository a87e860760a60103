/// Cuts bytes that arrive in pieces into the records of a CSV: RFC 4180, and what is found in the wild.
///
/// ```
///   text ── " (at the start) ──▶ quoted ── " ──▶ quote ── blank ──▶ closed
///                                   ▲──── " ───────┘
///   a separator or the end of a line, but for quoted: the cell ends ──▶ text
/// ```
///
/// Lines end with CR LF, LF or CR. Blanks around quotes are dropped; quotes amid a text that does not begin with one are
/// text. A record whose cells are all empty is skipped, as spreadsheets leave some behind. The separator is told by the
/// first line: see `CSVSeparator`.
struct CSVReader {
    /// What is no CSV, and where: "after a quote that closes there is text".
    struct Fault: Error, Hashable {
        let place: TextPosition
        let problem: String
    }

    private enum State {
        case text, quoted, quote, closed
    }

    /// The longest record that is read, in bytes.
    private let limit: Int
    private var separator: UInt8?
    /// What came before the separator was known.
    private var beginning: [UInt8] = []
    private var state = State.text
    private var cell: [UInt8] = []
    private var cells: [[UInt8]] = []
    private var size = 0
    private var place = TextPosition(line: 1, column: 1)
    /// The line on which the record begins.
    private var line = 1
    /// Where the last quote was opened.
    private var opening = TextPosition(line: 1, column: 1)
    private var isAfterReturn = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Hands over every record that is whole now: the line on which it begins, and its cells.
    mutating func append(_ bytes: some Sequence<UInt8>, each: (Int, [[UInt8]]) throws -> Void) throws {
        guard separator == nil else { return try read(bytes, each: each) }
        beginning.append(contentsOf: bytes)
        if CSVSeparator.hasWholeLine(beginning) || beginning.count > limit { try begin(each: each) }
    }

    /// Hands over a last record whose line has no end.
    mutating func finish(each: (Int, [[UInt8]]) throws -> Void) throws {
        if separator == nil { try begin(each: each) }
        if state == .quoted { throw Fault(place: opening, problem: "a quote is opened that nothing closes") }
        if !cells.isEmpty || !cell.isEmpty || state != .text { try endRecord(each: each) }
    }

    private mutating func begin(each: (Int, [[UInt8]]) throws -> Void) throws {
        let found = CSVSeparator(of: beginning)
        separator = found.separator
        let bytes = beginning.dropFirst(found.length)
        if found.length > 0 {
            (line, place) = (2, TextPosition(line: 2, column: 1))
            isAfterReturn = beginning[found.length - 1] == UInt8(ascii: "\r")
        }
        beginning = []
        try read(bytes, each: each)
    }

    private mutating func read(_ bytes: some Sequence<UInt8>, each: (Int, [[UInt8]]) throws -> Void) throws {
        for byte in bytes {
            size += 1
            guard size <= limit else {
                let start = TextPosition(line: line, column: 1)
                throw Fault(place: start, problem: "a record begins that is longer than \(limit >> 10) KiB")
            }
            try take(byte, each: each)
            count(byte)
        }
    }

    private mutating func take(_ byte: UInt8, each: (Int, [[UInt8]]) throws -> Void) throws {
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .quote
        case (.quoted, _): cell.append(byte)
        case (.quote, UInt8(ascii: "\"")):
            cell.append(byte)
            state = .quoted
        case (_, UInt8(ascii: "\n")) where isAfterReturn: line = place.line
        case (_, UInt8(ascii: "\n")), (_, UInt8(ascii: "\r")): try endRecord(each: each)
        case (_, separator): endCell()
        case (.text, UInt8(ascii: "\"")) where cell.allSatisfy(\.isBlank):
            (state, opening) = (.quoted, place)
            cell = []
        case (.text, _): cell.append(byte)
        default: try takeAfterQuote(byte)
        }
    }

    private mutating func takeAfterQuote(_ byte: UInt8) throws {
        guard byte.isBlank else {
            throw Fault(place: place, problem: "text follows a quote that closes; a quote within quotes is doubled")
        }
        state = .closed
    }

    private mutating func endCell() {
        cells.append(cell)
        cell = []
        state = .text
    }

    private mutating func endRecord(each: (Int, [[UInt8]]) throws -> Void) throws {
        endCell()
        if !cells.allSatisfy(\.isEmpty) { try each(line, cells) }
        cells = []
        size = 0
    }

    /// Lines are counted by what ends them, within quotes too.
    private mutating func count(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n") && !isAfterReturn || byte == UInt8(ascii: "\r")
        if isLineEnd {
            place = TextPosition(line: place.line + 1, column: 1)
        } else if byte & 0xC0 != 0x80, byte != UInt8(ascii: "\n") {
            place.column += 1
        }
        isAfterReturn = byte == UInt8(ascii: "\r")
        if cells.isEmpty, cell.isEmpty, state == .text { line = place.line }
    }
}

extension UInt8 {
    /// A blank or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

/// Finds the separator of a CSV by its first line that is not empty.
struct CSVSeparator: Hashable {
    /// The comma first, which it is where none of them stands there.
    private static let all = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    let separator: UInt8
    /// How many bytes say so and are no record: those of a first line `sep=;`.
    let length: Int

    init(of bytes: [UInt8]) {
        let line = bytes.prefix { !$0.isLineEnd }
        if line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=" {
            separator = line[4]
            length = 5 + bytes.dropFirst(5).prefix(bytes.dropFirst(5).starts(with: [13, 10]) ? 2 : 1).count
        } else {
            var isQuoted = false
            var counts: [UInt8: Int] = [:]
            for byte in bytes.drop(while: \.isLineEnd) {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if isQuoted { continue }
                if byte.isLineEnd { break }
                counts[byte, default: 0] += 1
            }
            let most = Self.all.map { counts[$0, default: 0] }.max() ?? 0
            separator = Self.all.first { counts[$0, default: 0] == most } ?? UInt8(ascii: ",")
            length = 0
        }
    }

    /// Whether the first line that is not empty has ended, outside of quotes.
    static func hasWholeLine(_ bytes: [UInt8]) -> Bool {
        var isQuoted = false
        for byte in bytes.drop(while: \.isLineEnd) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte.isLineEnd, !isQuoted { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
