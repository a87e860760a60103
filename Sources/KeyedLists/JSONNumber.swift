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
