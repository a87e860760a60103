/// The secret name of a session: 128 random bits, shown as 32 hexadecimal digits.
struct SessionToken: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Bits of the system's own generator.
    static func random() -> SessionToken {
        var generator = SystemRandomNumberGenerator()
        return SessionToken(high: generator.next(), low: generator.next())
    }

    /// Reads what `text` shows; nil for anything else.
    init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
        guard self.text == text else { return nil }
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits in lower case.
    var text: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

    private static func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
