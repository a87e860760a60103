/// The encoding windows-1252: WHATWG, Encoding Standard §9.1. Every byte is a letter.
enum Windows1252 {
    /// What the bytes from 0x80 to 0x9F are; the others are what they are in Unicode.
    private static let special: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        0x80...0x9F ~= byte ? special[Int(byte - 0x80)] : Unicode.Scalar(byte)
    }

    static func utf8(of bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: UTF8.encode(scalar(byte)) ?? .init())
            }
        }
        return text
    }
}
