/// Reads the dates of feeds, as `Timestamp` does, and what it rightly refuses from others: months before days, zones and
/// weekdays that nobody can know, hours of one digit.
///
/// ```
///   Do, 19 Nov 2026 8:30:15 MEZ      a day, a month, a year and a clock, in any order; what else is there is passed over
/// ```
///
/// Without a zone that is known it is UTC: some hours of an error are less of one than no date.
struct FeedDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// Hours east of UTC, of those that Timestamp does not know as mails may not have them.
    private static let zones: [String: Int64] = [
        "wet": 0, "west": 1, "bst": 1, "cet": 1, "mez": 1, "cest": 2, "mesz": 2, "eet": 2, "eest": 3, "msk": 3,
        "jst": 9,
        "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "akst": -9, "akdt": -8, "hst": -10,
    ]
    /// A longer text is no date. In bytes.
    private static let longest = 128
    /// The first moment of 1900.
    private static let earliest: Int64 = -2_208_988_800_000

    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var hour = 0
    /// What stands behind the hour.
    private var minutes = ":00"
    /// Milliseconds east of UTC.
    private var offset: Int64 = 0

    /// Milliseconds since 1970; nil for what is no date, and for one that a program made of none, before 1900.
    static func milliseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= longest else { return nil }
        let words = text.split { $0.isWhitespace }.map(String.init)
        let time = Timestamp.milliseconds(words.joined(separator: " ")) ?? FeedDate(words).milliseconds
        return time.flatMap { $0 < earliest ? nil : $0 }
    }

    private init(_ words: [String]) {
        for word in words.flatMap({ $0.split(separator: ",") }) { take(word) }
    }

    private var milliseconds: Int64? {
        guard let year, let month, let day else { return nil }
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
        let time = Timestamp.milliseconds("\(date)T\(Self.digits(hour, 2))\(minutes)")
        return time.map { $0 - offset } ?? Timestamp.milliseconds(date)
    }

    private mutating func take(_ word: Substring) {
        let isNumber = word.first?.isASCII == true && word.first?.isNumber == true
        if word.hasPrefix("+") || word.hasPrefix("-") {
            var scanner = DateScanner(String(word))
            offset = scanner.offset() ?? 0
        } else if !isNumber {
            take(name: word.lowercased())
        } else if let mark = word.firstIndex(where: { $0 == "T" || $0 == "t" }) {
            take(word[..<mark])
            take(word[word.index(after: mark)...])
        } else if let colon = word.firstIndex(of: ":") {
            take(hour: word[..<colon], word[colon...])
        } else {
            take(date: word)
        }
    }

    private mutating func take(hour text: Substring, _ rest: Substring) {
        let digits = rest.prefix { $0 == ":" || $0 == "." || $0.isASCII && $0.isNumber }
        hour = Int(text) ?? 0
        minutes = String(digits)
        take(rest.dropFirst(digits.count))
    }

    /// `19`, `2026`, `2026/11/19`, `19.11.2026`, `19-Nov-2026`; not `11/12/2026`, whose month is ambiguous.
    private mutating func take(date word: Substring) {
        let parts = word.split { $0 == "-" || $0 == "/" || $0 == "." }
        guard parts.count > 1 else { return take(number: word) }
        if word.contains("/"), parts[0].count != 4 { return }
        for part in parts { take(date: part) }
    }

    private mutating func take(number text: Substring) {
        guard let number = Int(text) else { return take(name: text.lowercased()) }
        if text.count == 4 {
            year = year ?? number
        } else if month == nil, day != nil || year != nil, 1...12 ~= number {
            month = number
        } else if day == nil, text.count < 3 {
            day = number
        } else if text.count == 2 {
            year = year ?? number + (number < 70 ? 2000 : 1900)
        }
    }

    private mutating func take(name: String) {
        if let index = Self.months.firstIndex(of: String(name.prefix(3))) {
            month = month ?? index + 1
        } else if name == "pm" || name == "am" {
            hour = hour % 12 + (name == "pm" ? 12 : 0)
        } else if let zone = Timestamp.zone(name) ?? Self.zones[name].map({ $0 * 3_600_000 }) {
            offset = zone
        }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
