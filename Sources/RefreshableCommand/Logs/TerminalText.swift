/// Text of strangers in a line for people.
enum TerminalText {
    /// Without what could begin another line, or steer a terminal: C0 and C1 controls, DEL, line separators, and what turns
    /// the direction of writing (Unicode UAX 9). They are there as `\n`, `\u{1B}`.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": safe += "\\n"
            case "\r": safe += "\\r"
            case "\t": safe += "\\t"
            case _ where isUnsafe(scalar): safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
