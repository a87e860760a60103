/// Takes the mark off the front of a text that some editors and spreadsheets put there.
struct ByteOrderMark {
    private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What may become a mark, until there are enough bytes to tell.
    private var beginning: [UInt8] = []
    private var isDone = false
    /// Whether the text began with the mark of UTF-16.
    private(set) var isUTF16 = false

    /// The bytes without the mark; nil while there are too few to tell.
    mutating func strip(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard !isDone else { return Array(bytes) }
        beginning.append(contentsOf: bytes)
        return beginning.count < Self.utf8.count ? nil : finish()
    }

    /// The bytes that were held back.
    mutating func finish() -> [UInt8] {
        guard !isDone else { return [] }
        isDone = true
        defer { beginning = [] }
        isUTF16 = beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF])
        return beginning.starts(with: Self.utf8) ? Array(beginning.dropFirst(Self.utf8.count)) : beginning
    }
}
