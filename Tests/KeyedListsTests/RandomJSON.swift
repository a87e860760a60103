import KeyedLists

/// Random values, and random ways of writing them.
enum RandomJSON {
    private static let scalars: [Unicode.Scalar] = [
        "a", "b", "z", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "\u{E9}", "\u{301}", "\u{20AC}", "\u{E000}",
        "\u{FB33}",
        "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}",
    ]

    static func members(depth: Int, using random: inout SeededGenerator) -> [Key: JSONValue] {
        var members: [Key: JSONValue] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            members[Key(text(using: &random))] = value(depth: depth - 1, using: &random)
        }
        return members
    }

    static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(Double(Int.random(in: -1000...1000, using: &random)))
        case 3: return .number(finite(using: &random))
        case 4: return .string(text(using: &random))
        case 5: return .object(members(depth: depth, using: &random))
        default:
            let count = Int.random(in: 0...3, using: &random)
            return .array((0..<count).map { _ in value(depth: depth - 1, using: &random) })
        }
    }

    /// The value with white space, with members in another order and with needless escapes.
    static func untidy(_ value: JSONValue, using random: inout SeededGenerator) -> String {
        switch value {
        case .object(let members):
            let members = members.shuffled(using: &random).map { name, value in
                untidy(name.string, using: &random) + space(using: &random) + ":" + untidy(value, using: &random)
            }
            return space(using: &random) + "{" + members.joined(separator: ",") + "}" + space(using: &random)
        case .array(let elements):
            return "[" + elements.map { untidy($0, using: &random) }.joined(separator: ",") + "]"
        case .string(let text): return space(using: &random) + untidy(text, using: &random)
        case .number(let number): return random.oneIn(2) ? "\(number)" : "\(number)".replacing("e", with: "E")
        default: return value.canonical.text
        }
    }

    private static func untidy(_ text: String, using random: inout SeededGenerator) -> String {
        "\"" + text.unicodeScalars.map { escaped($0, using: &random) }.joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar, using random: inout SeededGenerator) -> String {
        guard random.oneIn(3) || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" else { return String(scalar) }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func text(using random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
        }
        return text
    }

    private static func finite(using random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: .random(in: .min ... .max, using: &random))
        return number.isFinite ? number : 0.1
    }

    private static func space(using random: inout SeededGenerator) -> String {
        ["", "", " ", "\n\t", "\r\n"].randomElement(using: &random) ?? ""
    }
}
