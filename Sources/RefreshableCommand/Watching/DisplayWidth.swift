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
