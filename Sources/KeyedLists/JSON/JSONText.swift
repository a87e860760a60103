/// A string inside JSON bytes that was checked but not copied: the name of a member, or a value.
///
/// It points into the bytes of its reader and is valid only as long as they are. Compared with a literal, it allocates
/// nothing:
///
///     while let name = try reader.nextMember() {
///         switch name {
///         case "list": list = try reader.readString()
///         default: try reader.skipValue()
///         }
///     }
public struct JSONText {
    /// The bytes between the quotation marks, with escapes as they were written.
    let raw: UnsafeRawBufferPointer
    /// Whether there is a backslash in them.
    let hasEscapes: Bool

    /// The text, copied.
    public var string: String {
        guard hasEscapes else { return String(decoding: raw, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        forEachByte { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of the text, in place; `nil` if they are written with escapes. They last as long as the JSON does.
    package var plainBytes: UnsafeRawBufferPointer? { hasEscapes ? nil : raw }

    /// The length of the text in UTF-8, in bytes; tells whether it is worth copying.
    public var utf8Count: Int {
        guard hasEscapes else { return raw.count }
        var count = 0
        forEachByte { _ in count += 1 }
        return count
    }

    /// Whether the text has the bytes of the literal.
    public static func == (text: JSONText, literal: StaticString) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard text.hasEscapes else { return text.raw.equals(bytes) }
        var offset = 0
        var isEqual = true
        text.forEachByte { byte in
            isEqual = isEqual && offset < bytes.count && bytes[offset] == byte
            offset += 1
        }
        return isEqual && offset == bytes.count
    }

    /// Lets a literal be a case of a `switch` over texts.
    public static func ~= (literal: StaticString, text: JSONText) -> Bool {
        text == literal
    }

    /// Calls `body` with each byte of the text in UTF-8, escapes resolved.
    func forEachByte(_ body: (UInt8) -> Void) {
        var offset = 0
        while offset < raw.count {
            let byte = raw[offset]
            offset += 1
            guard byte == UInt8(ascii: "\\") else {
                body(byte)
                continue
            }
            unescape(at: &offset).utf8.forEach(body)
        }
    }

    /// The scalar of the escape whose backslash was just passed. The reader has checked it.
    private func unescape(at offset: inout Int) -> Unicode.Scalar {
        let letter = raw[offset]
        offset += 1
        switch letter {
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unescapeUnicode(at: &offset)
        default: return Unicode.Scalar(letter)
        }
    }

    private func unescapeUnicode(at offset: inout Int) -> Unicode.Scalar {
        var value = unit(at: offset)
        offset += 4
        if 0xD800...0xDBFF ~= value {
            // The reader lets a lead surrogate pass only with its trail, as in \uD83D\uDE02.
            value = 0x10000 + (value & 0x3FF) << 10 + unit(at: offset + 2) & 0x3FF
            offset += 6
        }
        guard let scalar = Unicode.Scalar(value) else { preconditionFailure("The reader lets no half of a pair pass.") }
        return scalar
    }

    /// The four hexadecimal digits at `offset`.
    private func unit(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | UInt32(raw[offset + $1].hexadecimalValue ?? 0) }
    }
}

/// A number inside JSON bytes that was checked but not yet made a double of.
struct JSONNumber {
    /// As it was written.
    var raw = UnsafeRawBufferPointer(start: nil, count: 0)
    let isNegative: Bool
    /// Whether there was neither a point nor an exponent.
    var isWhole = true
    /// The power of ten that `mantissa` is to be multiplied by.
    var exponent = 0
    /// The first digits, as many as fit.
    private(set) var mantissa: UInt64 = 0
    /// Whether there were more digits than fit.
    private var isTruncated = false

    init(isNegative: Bool) {
        self.isNegative = isNegative
    }

    /// Takes another digit of the number, from left to right.
    @inline(__always)
    mutating func append(digit: UInt8, isFraction: Bool) {
        guard mantissa < 100_000_000_000_000_000 else {
            isTruncated = true
            return
        }
        mantissa = mantissa * 10 + UInt64(digit)
        if isFraction { exponent -= 1 }
    }

    /// The nearest double; infinite if the number is too large.
    var value: Double {
        // Exact, as both factors are: William D. Clinger, "How to Read Floating Point Numbers Accurately" (1990).
        if !isTruncated, mantissa <= 1 << 53, -22...22 ~= exponent {
            let power = JSONNumber.powersOfTen[abs(exponent)]
            let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return isNegative ? -magnitude : magnitude
        }
        guard let value = Double(String(decoding: raw, as: UTF8.self)) else {
            preconditionFailure("A number of JSON is a number of Swift.")
        }
        return value
    }

    /// Whether it is written as RFC 8785 would write it, so far as that can be told without making a double.
    var isCanonical: Bool {
        isWhole && !isTruncated && mantissa <= 1 << 53 && !(isNegative && mantissa == 0)
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
