import ListSources

/// Extracts progress lines from bytes that arrive in pieces. Pure: bytes go in, other bytes and marks out.
///
/// No format takes an empty line for a row, and none but a quoted cell of CSV could hold a line that looks like a mark.
struct ProgressLines {
    static let beginning = Array("#progress ".utf8)
    /// A mark that is longer is none.
    private static let lengthLimit = 1024

    private enum Place {
        /// In a line that can still be a mark; its bytes wait.
        case perhaps
        /// In a line that is none.
        case other
    }

    /// Whether an empty line replaces each progress line, so that line numbers are unchanged.
    private let keepsLines: Bool
    private var place = Place.perhaps
    private var waiting: [UInt8] = []
    /// The newest mark since it was last taken.
    private var mark: ProgressMark?

    init(keepsLines: Bool) {
        self.keepsLines = keepsLines
    }

    /// The bytes without marks, but for a beginning that waits for more.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var passed: [UInt8] = []
        passed.reserveCapacity(bytes.count + waiting.count)
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end], into: &passed)
            endLine(into: &passed)
            rest = rest[(end + 1)...]
        }
        take(rest, into: &passed)
        return passed
    }

    /// What waited, when nothing follows.
    mutating func finish() -> [UInt8] {
        defer { waiting = [] }
        guard let mark = ProgressMark(waiting) else { return waiting }
        self.mark = mark
        return []
    }

    /// The newest mark, once.
    mutating func takeMark() -> ProgressMark? {
        defer { mark = nil }
        return mark
    }

    private mutating func take(_ piece: Slice<UnsafeRawBufferPointer>, into passed: inout [UInt8]) {
        guard place == .perhaps else { return passed.append(contentsOf: piece) }
        let isBeginning = zip(Self.beginning.dropFirst(waiting.count), piece).allSatisfy(==)
        guard isBeginning, waiting.count + piece.count <= Self.lengthLimit else {
            passed.append(contentsOf: waiting)
            passed.append(contentsOf: piece)
            waiting.removeAll(keepingCapacity: true)
            place = .other
            return
        }
        waiting.append(contentsOf: piece)
    }

    private mutating func endLine(into passed: inout [UInt8]) {
        let mark = ProgressMark(waiting)
        self.mark = mark ?? self.mark
        if mark == nil { passed.append(contentsOf: waiting) }
        if mark == nil || keepsLines { passed.append(UInt8(ascii: "\n")) }
        waiting.removeAll(keepingCapacity: true)
        place = .perhaps
    }
}

/// A line by which a command reports progress: `#progress 3/10 Reading mail`, `#progress 3`.
struct ProgressMark: Hashable, Sendable {
    /// The longest note that is shown, in characters. It stands on one line of a phone.
    static let noteLimit = 120

    var completed: Int
    var total: Int?
    var note: String?

    /// Nil if the line is no mark: it is a row then.
    ///
    /// - Parameter line: without its end.
    init?(_ line: [UInt8]) {
        guard line.starts(with: ProgressLines.beginning) else { return nil }
        let text = String(decoding: line.dropFirst(ProgressLines.beginning.count), as: UTF8.self)
        let words = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == "\r" }
        let numbers = (words.first ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let completed = numbers.first.flatMap({ Self.count($0) }) else { return nil }
        self.completed = completed
        if numbers.count == 2 {
            guard let total = Self.count(numbers[1]) else { return nil }
            self.total = total > 0 ? max(total, completed) : nil
        }
        let note = words.dropFirst().first.map { $0.filter { !$0.isNewline }.prefix(Self.noteLimit) } ?? ""
        self.note = note.allSatisfy(\.isWhitespace) ? nil : String(note)
    }

    func report(to run: any RowSink) { run.progress(completed, of: total, note: note) }

    /// Digits alone: neither a sign nor more than a page can count (2^53).
    private static func count(_ text: Substring) -> Int? {
        guard 1...15 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}
