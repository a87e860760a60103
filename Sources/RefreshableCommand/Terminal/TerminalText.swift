/// Makes any text fit for a terminal, whoever wrote it: a list's source, a server, a visitor.
///
/// Unsafe is what could begin another line or steer a terminal (C0 and C1 controls, DEL, line separators), and what turns
/// the direction of writing or hides in it (Unicode UAX 9, UTS 55).
enum TerminalText {
    /// In one line: what is unsafe stands there as `\n`, `\u{1B}`.
    static func safe(_ text: String) -> String { replaced(text, isUnsafe, by: spelled) }

    /// As above, but for the line breaks and tabs, which stay.
    static func lines(_ text: String) -> String {
        replaced(text) {
            isUnsafe($0) && $0 != "\n" && $0 != "\t"
        } by: {
            spelled($0)
        }
    }

    /// In one line, with a blank for each: for what is drawn.
    static func blank(_ text: String) -> String { replaced(text, isUnsafe) { _ in " " } }

    /// JSON that says the same: unsafe characters stand in its strings alone, where an escape means them.
    static func json(_ json: String) -> String {
        replaced(json) {
            isUnsafe($0) && $0 != "\n"
        } by: { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static func replaced(
        _ text: String, _ isReplaced: (Unicode.Scalar) -> Bool, by replacement: (Unicode.Scalar) -> String
    ) -> String {
        guard text.unicodeScalars.contains(where: isReplaced) else { return text }
        var fit = ""
        for scalar in text.unicodeScalars {
            if isReplaced(scalar) { fit += replacement(scalar) } else { fit.unicodeScalars.append(scalar) }
        }
        return fit
    }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// All of them are of the basic plane: `json` needs one escape for each.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
