/// What stands between the cells of a CSV, told by its first line that is not empty.
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
