extension JSONWriter {
    /// Writes a whole number, all of its digits. Beyond 2^53 a reader of JavaScript gets another.
    public mutating func value(_ integer: Int) {
        separate()
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(of: UInt64(integer.magnitude))
    }

    /// Writes a number as ECMAScript's `Number::toString` does, which RFC 8785 §3.2.2.3 asks for: `61.5`, `100`, `1e+21`.
    ///
    /// One that is not finite, which JSON has no form for, becomes `null`, as `JSON.stringify` has it.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        if number.magnitude <= 0x1p53, Double(Int(number)) == number { return value(Int(number)) }
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        decimal(Decimal(number.magnitude))
    }

    private mutating func decimal(_ decimal: Decimal) {
        let digits = decimal.digits
        let point = decimal.point
        switch point {
        case digits.count...21:
            bytes.append(contentsOf: digits)
            zeros(point - digits.count)
        case 1...21:
            bytes.append(contentsOf: digits[..<point])
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: digits[point...])
        case -5...0:
            raw(ending: "0.")
            zeros(-point)
            bytes.append(contentsOf: digits)
        default:
            bytes.append(digits[0])
            if digits.count > 1 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(contentsOf: digits[1...])
            raw(ending: point > 0 ? "e+" : "e-")
            self.digits(of: UInt64((point - 1).magnitude))
        }
    }

    private mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
    }

    private mutating func raw(ending text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func digits(of value: UInt64) {
        // 2^64 has 20 digits.
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { buffer in
            var start = 20
            var rest = value
            repeat {
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
    }
}

/// A positive number in the fewest digits that tell it from all other doubles: 0.`digits` × 10^`point`.
private struct Decimal {
    var digits: [UInt8] = []
    var point = 0

    /// Takes the digits from Swift's description, which are the fewest, and of those the closest, as ECMAScript's are.
    init(_ number: Double) {
        var exponent = 0
        var fraction: Int?
        let description = number.description.utf8
        for (offset, byte) in zip(description.indices, description) {
            if byte == UInt8(ascii: "e") {
                exponent = Int(String(description[description.index(after: offset)...])!) ?? 0
                break
            }
            if byte == UInt8(ascii: ".") { fraction = digits.count } else { digits.append(byte) }
        }
        point = (fraction ?? digits.count) + exponent
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(leadingZeros)
        point -= leadingZeros
    }
}
