/// Checks text as it comes, in pieces cut anywhere (RFC 3629 §4).
struct UTF8Validator {
    /// Bytes still owed to the character under way.
    private var owed: UInt8 = 0
    /// What the next of them may be.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isComplete: Bool { owed == 0 }

    /// Whether these bytes are a whole text.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.takes(bytes) && validator.isComplete
    }

    /// Whether a text may go on with these bytes. After false it is of no more use.
    mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if owed == 0, index + 8 <= bytes.count, bytes.hasOnlyASCII(at: index) {
                index += 8
                continue
            }
            guard takes(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        if owed == 0 { return begins(with: byte) }
        guard (lowest...highest).contains(byte) else { return false }
        expect(owed - 1)
        return true
    }

    private mutating func begins(with byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: expect(1)
        // What shorter forms, surrogates, and code points beyond U+10FFFF would begin with, is narrowed.
        case 0xE0: expect(2, from: 0xA0)
        case 0xED: expect(2, to: 0x9F)
        case 0xE1...0xEF: expect(2)
        case 0xF0: expect(3, from: 0x90)
        case 0xF4: expect(3, to: 0x8F)
        case 0xF1...0xF3: expect(3)
        default: return false
        }
        return true
    }

    private mutating func expect(_ owed: UInt8, from lowest: UInt8 = 0x80, to highest: UInt8 = 0xBF) {
        self.owed = owed
        self.lowest = lowest
        self.highest = highest
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the eight bytes from there on are ASCII.
    fileprivate func hasOnlyASCII(at index: Int) -> Bool {
        loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    }
}
