/// The secret name of a session: 128 random bits as 32 hexadecimal digits.
enum SessionToken {
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bits = (generator.next(), generator.next()) as (UInt64, UInt64)
        return hexadecimal(bits.0) + hexadecimal(bits.1)
    }

    private static func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
