/// What somebody pressed.
enum KeyPress: Equatable {
    case refresh, stop, quit
    case up, down, pageUp, pageDown, top, bottom

    /// Reads the bytes that a terminal sends, of which several keys may have come at once; others are passed over.
    static func all(in bytes: [UInt8]) -> [KeyPress] {
        var presses: [KeyPress] = []
        var rest = bytes[...]
        while let first = rest.first {
            let (press, length) = first == 0x1B ? sequence(rest) : (keys[Character(UnicodeScalar(first))], 1)
            if let press { presses.append(press) }
            rest = rest.dropFirst(length)
        }
        return presses
    }

    /// CSI and SS3 sequences end at the first byte from @ to ~ (ECMA-48 §5.4).
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (KeyPress?, Int) {
        let body = bytes.dropFirst()
        guard let kind = body.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return (nil, 1) }
        guard let end = body.dropFirst().firstIndex(where: { 0x40...0x7E ~= $0 }) else { return (nil, bytes.count) }
        let text = String(decoding: body.dropFirst()[...end], as: UTF8.self)
        return (sequences[text], end - bytes.startIndex + 1)
    }

    private static let keys: [Character: KeyPress] = [
        "r": .refresh, "R": .refresh, "c": .stop, "C": .stop, "q": .quit, "Q": .quit, "\u{3}": .quit, "\u{4}": .quit,
        "k": .up, "j": .down, "g": .top, "G": .bottom, " ": .pageDown, "b": .pageUp,
    ]

    private static let sequences: [String: KeyPress] = [
        "A": .up, "B": .down, "5~": .pageUp, "6~": .pageDown, "H": .top, "F": .bottom, "1~": .top, "4~": .bottom,
    ]
}
