/// Keeps the last bytes of a text that may be long.
struct TextTail {
    /// How many bytes are kept.
    static let limit = 4096

    private var bytes: [UInt8] = []
    private var isCut = false

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more.suffix(Self.limit))
        isCut = isCut || more.count > Self.limit || bytes.count > Self.limit
        bytes.removeFirst(max(0, bytes.count - Self.limit))
    }

    /// The end of the text, without blanks around it; what is not UTF-8 is replaced.
    var text: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let text = String(decoding: bytes, as: UTF8.self)
        let start = text.drop { blanks.contains($0) }
        let end = start.lastIndex { !blanks.contains($0) }
        return (isCut ? "…" : "") + (end.map { start[...$0] } ?? "")
    }
}
