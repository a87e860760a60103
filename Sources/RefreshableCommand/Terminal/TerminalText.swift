/// Makes any text safe for a terminal, whether from a source, a server or a client.
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

    /// Equal JSON: unsafe characters are only in its strings, and are escaped there.
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

extension StringProtocol {
    /// How many columns a terminal needs for the text: two for a wide character, none for what joins one.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The beginning of the text that fits into so many columns, with an ellipsis where something was cut off.
    func fitting(_ width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        guard width > 0 else { return "" }
        var room = width - 1
        let kept = prefix { character in
            room -= character.displayWidth
            return room >= 0
        }
        return kept + "…"
    }

    /// The text, followed by spaces up to so many columns; cut off where it is longer.
    func padded(_ width: Int) -> String {
        let text = fitting(width)
        return text + String(repeating: " ", count: Swift.max(0, width - text.displayWidth))
    }
}

extension Character {
    /// By the wide and fullwidth ranges of Unicode's East Asian Width (UAX #11), and the emoji that are drawn as pictures.
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.generalCategory == .control || first.properties.generalCategory == .format { return 0 }
        let isPicture = unicodeScalars.contains { $0.value == 0xFE0F } || first.properties.isEmojiPresentation
        return isPicture || Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}

/// How long ago something was, in as few characters as a terminal needs.
enum Age {
    /// - Parameters: times in milliseconds since 1970.
    static func text(of time: Int64, now: Int64) -> String {
        let seconds = (now - time) / 1000
        switch seconds {
        case ..<(-60): return "in \(amount(-seconds))"
        case ..<10: return "just now"
        default: return "\(amount(seconds)) ago"
        }
    }

    private static func amount(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        case ..<(86_400 * 14): "\(seconds / 86_400) d"
        case ..<(86_400 * 365): "\(seconds / 86_400 / 7) w"
        default: "\(seconds / 86_400 / 365) y"
        }
    }
}
