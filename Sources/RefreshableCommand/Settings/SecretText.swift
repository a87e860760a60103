/// The secrets that may be shown: they stand in a header (RFC 6750 §2.1), and can't be guessed.
enum SecretText {
    /// What a secret is, for the end of a sentence that starts "expected".
    static let rule = "16 to 512 letters, digits and -._~+/="

    static func isValid(_ text: String) -> Bool {
        16...512 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F, 0x7E: true
                default: false
                }
            }
    }

    /// What a fault says of one.
    static func hidden(_ text: String) -> String { String(repeating: "*", count: min(text.count, 16)) }

    /// A new one, of 32 random bytes (getrandom(2)): 43 letters (RFC 4648 §5), behind what tells people and programs that
    /// look for secrets what it is.
    static func random() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var generator = SystemRandomNumberGenerator()
        let text = (0..<43).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }
        return "rfl_" + String(decoding: text, as: UTF8.self)
    }
}
