extension JSONWriter {
    /// Writes a string, escaped as RFC 8785 §3.2.2.2 says: only what must be, in the shortest way.
    public mutating func value(_ text: String) {
        var text = text
        text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string read from JSON; one without escapes is already as it should be.
    mutating func value(_ text: JSONText) {
        guard text.hasEscapes else {
            separate()
            bytes.append(UInt8(ascii: "\""))
            append(text.raw)
            bytes.append(UInt8(ascii: "\""))
            return
        }
        value(text.string)
    }

    private mutating func string(_ text: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var offset = 0
        while offset < text.count {
            if offset + 8 <= text.count, text.word(at: offset).isPlainText {
                offset += 8
                continue
            }
            if text[offset].mustBeEscaped {
                append(UnsafeRawBufferPointer(rebasing: text[start..<offset]))
                escape(text[offset])
                start = offset + 1
            }
            offset += 1
        }
        append(UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            bytes.append((byte >> 4).hexadecimalDigit)
            bytes.append((byte & 0xF).hexadecimalDigit)
        }
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var mustBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }

    /// The lower-case digit of a value below 16.
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
    }
}
