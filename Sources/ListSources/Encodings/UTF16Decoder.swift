/// Makes UTF-8 of UTF-16 that arrives in pieces. Halves that lack the other become U+FFFD.
struct UTF16Decoder {
    let isBigEndian: Bool
    private var byte: UInt8?
    /// The first half of a letter of two.
    private var half: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for second in bytes {
            guard let first = byte else {
                byte = second
                continue
            }
            byte = nil
            take(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first), &text)
        }
        return text
    }

    /// What was left over.
    mutating func finish() -> [UInt8] {
        defer { (byte, half) = (nil, nil) }
        return byte == nil && half == nil ? [] : Array("\u{FFFD}".utf8)
    }

    private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
        if let high = half {
            half = nil
            if UTF16.isTrailSurrogate(unit) {
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + UInt32(unit) - 0xDC00
                text.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? .init())
                return
            }
            text.append(contentsOf: "\u{FFFD}".utf8)
        }
        if UTF16.isLeadSurrogate(unit) {
            half = unit
        } else {
            text.append(contentsOf: UTF8.encode(Unicode.Scalar(unit) ?? "\u{FFFD}") ?? .init())
        }
    }
}
