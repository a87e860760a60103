/// The order of RFC 8785 §3.2.3: by UTF-16 code units, told from the bytes of UTF-8.
enum UTF16Order {
    /// Whether one text comes before another.
    static func precedes(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        for offset in 0..<min(text.count, other.count) where text[offset] != other[offset] {
            return rank(text[offset]) < rank(other[offset])
        }
        return text.count < other.count
    }

    /// Where a byte, at which two texts first differ, stands among the others.
    ///
    /// The orders are the same but for scalars beyond the first plane, which begin with F0 to F4: their surrogates, D800 to
    /// DFFF, come before E000 to FFFF, which begin with EE and EF.
    private static func rank(_ byte: UInt8) -> UInt16 {
        switch byte {
        case 0xEE, 0xEF: UInt16(byte) + 0x100
        default: UInt16(byte)
        }
    }
}

extension Key {
    /// Whether this comes first in the order of RFC 8785.
    func precedes(_ other: Key) -> Bool {
        withBytes { bytes in other.withBytes { UTF16Order.precedes(bytes, $0) } }
    }
}

extension JSONText {
    /// Whether this comes first in the order of RFC 8785.
    func precedes(_ other: JSONText) -> Bool {
        guard hasEscapes || other.hasEscapes else { return UTF16Order.precedes(raw, other.raw) }
        return Key(string).precedes(Key(other.string))
    }
}
