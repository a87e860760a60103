/// Parses durations: `250ms`, `30s`, `1.5m`, `1h`.
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

/// Parses sizes: `500KiB`, `16MiB`, and `16MB`, which is a little less (IEC 80000-13).
enum ByteText {
    /// The text of a setting that can't be parsed.
    static let expected = "a size such as 500KiB, 16MiB or 16MB, 1024GiB at most"

    private static let units = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1000), ("KB", 1000), ("MB", 1_000_000),
        ("GB", 1_000_000_000),
    ]

    /// Nil for anything but a whole number above zero, followed by its unit.
    ///
    /// - Parameter most: in bytes.
    static func bytes(_ text: String, most: Int = 1 << 40) -> Int? {
        guard let (unit, size) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count).drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard let number = Int(String(digits)), 1...(most / size) ~= number else { return nil }
        return number * size
    }
}
