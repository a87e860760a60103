/// Takes the lines that tell progress out of bytes that arrive in pieces. Pure: bytes go in, other bytes and marks out.
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

    /// Whether an empty line stays in the place of a mark, so that lines keep their numbers.
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
