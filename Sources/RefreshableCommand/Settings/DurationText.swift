/// Reads durations as people write them: `250ms`, `30s`, `1.5m`, `1h`.
enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// Nil for anything but a number that is not negative, followed by its unit; the most is 8760h, a year.
    static func duration(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = number(text.dropLast(unit.name.count))
        else { return nil }
        let milliseconds = (number * unit.milliseconds).rounded()
        return milliseconds <= 8760 * 3_600_000 ? .milliseconds(Int64(milliseconds)) : nil
    }

    /// The duration that was perhaps meant by a number without a unit, or with the unit's name.
    static func guess(_ text: String) -> String? {
        let lowercased = text.lowercased()
        let digits = lowercased.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard number(digits) != nil, Double(digits) != 0 else { return nil }
        let rest = lowercased.dropFirst(digits.count).drop { $0 == " " }
        switch rest.first {
        case nil, "s": return "\(digits)s"
        case "m": return rest.hasPrefix("ms") || rest.hasPrefix("mil") ? "\(digits)ms" : "\(digits)m"
        case "h": return "\(digits)h"
        default: return nil
        }
    }

    private static func number(_ digits: Substring) -> Double? {
        guard digits.first?.isNumber == true, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
            return nil
        }
        return Double(digits)
    }
}
