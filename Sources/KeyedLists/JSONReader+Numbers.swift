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
