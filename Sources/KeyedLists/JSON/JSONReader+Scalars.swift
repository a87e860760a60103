extension JSONReader {
    /// Reads a string, and copies it.
    public mutating func readString() throws(JSONError) -> String {
        try readText().string
    }

    /// Reads a string in place: it points into the bytes, and allocates nothing.
    public mutating func readText() throws(JSONError) -> JSONText {
        skipWhitespace()
        guard byte == UInt8(ascii: "\"") else { throw expected("a string") }
        offset += 1
        let start = offset
        var hasEscapes = false
        while true {
            passPlainText()
            let next = byte
            switch next {
            case UInt8(ascii: "\""):
                let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
                offset += 1
                return JSONText(raw: raw, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try passEscape()
            case 0x80...:
                try passScalar(beginningWith: next)
            case 0x20...:
                offset += 1
            default:
                throw expected(offset < bytes.count ? "no bare control character" : "the end of the string")
            }
        }
    }

    /// Passes over ASCII that needs no look, eight bytes at a time.
    @inline(__always)
    private mutating func passPlainText() {
        while offset + 8 <= bytes.count, bytes.word(at: offset).isPlainText { offset += 8 }
    }

    private mutating func passEscape() throws(JSONError) {
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        case UInt8(ascii: "u"):
            try passUnicodeEscape()
        default:
            throw expected("one of \"\\/bfnrtu after the backslash")
        }
    }

    private mutating func passUnicodeEscape() throws(JSONError) {
        let start = offset - 1
        let unit = try passUnit()
        guard UTF16.isSurrogate(unit) else { return }
        if UTF16.isLeadSurrogate(unit), byte == UInt8(ascii: "\\") {
            offset += 1
            if byte == UInt8(ascii: "u"), UTF16.isTrailSurrogate(try passUnit()) { return }
        }
        offset = start
        throw expected("both halves of a surrogate pair")
    }

    /// Passes over `u` and the four hexadecimal digits after it.
    private mutating func passUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            offset += 1
            guard let digit = byte.hexadecimalValue else { throw expected("four hexadecimal digits") }
            unit = unit << 4 | UInt16(digit)
        }
        offset += 1
        return unit
    }

    /// Passes over a scalar of several bytes if it is one of Table 3-7, "Well-Formed UTF-8 Byte Sequences", of Unicode.
    private mutating func passScalar(beginningWith lead: UInt8) throws(JSONError) {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0x80...0xBF)
            }
        guard length > 0, offset + length <= bytes.count, second.contains(bytes[offset + 1]),
            length < 3 || bytes[offset + 2].isContinuation, length < 4 || bytes[offset + 3].isContinuation
        else { throw expected("valid UTF-8") }
        offset += length
    }
}

extension UInt64 {
    /// Whether none of the eight bytes is a control character, a quotation mark, a backslash, or beyond ASCII.
    ///
    /// `(x - 0x01…) & ~x & 0x80…` marks the zero bytes of `x` ("Bit Twiddling Hacks", Sean Eron Anderson). A borrow may
    /// mark too much above a marked byte, never too little, and such a word is then looked at byte by byte.
    @inline(__always)
    var isPlainText: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quotes = self ^ (ones &* 0x22)
        let backslashes = self ^ (ones &* 0x5C)
        let controls = (self &- (ones &* 0x20)) & ~self
        return (self | controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes) & highs == 0
    }
}

extension UInt8 {
    fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }

    /// The value of an ASCII hexadecimal digit of either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension JSONReader {
    /// Reads a number, as the double nearest to it: infinite if it is too large for one.
    ///
    /// A caller who needs a finite one, or a whole one (`Int(exactly:)`), checks that; the grammar knows no limits.
    public mutating func readNumber() throws(JSONError) -> Double {
        try passNumber().value
    }

    /// Reads a number in place.
    mutating func passNumber() throws(JSONError) -> JSONNumber {
        skipWhitespace()
        var number = JSONNumber(isNegative: byte == UInt8(ascii: "-"))
        let start = offset
        if number.isNegative { offset += 1 }
        if byte == UInt8(ascii: "0") {
            offset += 1
        } else {
            try passDigits(of: &number, isFraction: false, or: number.isNegative ? "a digit" : "a number")
        }
        if byte == UInt8(ascii: ".") {
            offset += 1
            number.isWhole = false
            try passDigits(of: &number, isFraction: true, or: "a digit after the point")
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            number.isWhole = false
            try passExponent(of: &number)
        }
        number.raw = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        return number
    }

    private mutating func passDigits(
        of number: inout JSONNumber, isFraction: Bool, or expectation: StaticString
    ) throws(JSONError) {
        guard byte.isDigit else { throw expected(expectation) }
        repeat {
            number.append(digit: byte - UInt8(ascii: "0"), isFraction: isFraction)
            offset += 1
        } while byte.isDigit
    }

    private mutating func passExponent(of number: inout JSONNumber) throws(JSONError) {
        offset += 1
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative || byte == UInt8(ascii: "+") { offset += 1 }
        guard byte.isDigit else { throw expected("a digit of the exponent") }
        var exponent = 0
        repeat {
            exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 100_000)
            offset += 1
        } while byte.isDigit
        number.exponent += isNegative ? -exponent : exponent
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
