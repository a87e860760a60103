/// Reads the times that programs print.
package enum Timestamp {
    /// Milliseconds since 1970 of an ISO 8601 time, of a date as mails and web servers write it (`Sun, 06 Nov 1994
    /// 08:49:37 GMT`), or of seconds or milliseconds since 1970. Nil for anything else.
    ///
    /// A number below 10^11 counts seconds (until the year 5138), any other milliseconds. An ISO time needs its date;
    /// `T` or a blank stands before the clock; without an offset it is UTC.
    package static func milliseconds(_ text: String) -> Int64? {
        if let number = Double(text) { return milliseconds(number) }
        var scanner = DateScanner(text)
        guard let days = scanner.date() else { return internet(text) }
        guard !scanner.isAtEnd else { return days * 86_400_000 }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let clock = scanner.clock() else {
            return nil
        }
        _ = scanner.skip(" ")
        guard let offset = scanner.isAtEnd ? 0 : scanner.offset(), scanner.isAtEnd else { return nil }
        return days * 86_400_000 + clock - offset
    }

    private static func internet(_ text: String) -> Int64? {
        var scanner = DateScanner(text)
        guard let days = scanner.internetDate() else { return nil }
        guard scanner.skipBlanks() else { return scanner.isAtEnd ? days * 86_400_000 : nil }
        guard let clock = scanner.clock() else { return nil }
        var signed = scanner
        _ = signed.skip(" ")
        if let offset = signed.offset(), signed.isAtEnd { return days * 86_400_000 + clock - offset }
        scanner.skipBlanks()
        guard let offset = scanner.isAtEnd ? 0 : scanner.word().flatMap(zone), scanner.isAtEnd else { return nil }
        return days * 86_400_000 + clock - offset
    }

    /// RFC 5322 §4.3. Milliseconds east of UTC; nil for an unknown name.
    static func zone(_ name: String) -> Int64? {
        let hours: [String: Int64] = [
            "gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
            "pst": -8, "pdt": -7,
        ]
        return hours[name].map { $0 * 3_600_000 }
    }

    /// Milliseconds since 1970 of a number of seconds or milliseconds; nil beyond what JSON can hold exactly.
    static func milliseconds(_ number: Double) -> Int64? {
        let value = (number.magnitude < 1e11 ? number * 1000 : number).rounded()
        return value.magnitude < 9_007_199_254_740_992 ? Int64(value) : nil
    }
}

/// Reads digits and marks off the front of a text.
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly `count` digits, if they make a number within `range`.
    mutating func number(_ count: Int, in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return range.contains(value) ? value : nil
    }

    /// `2026-11-19`: days since 1970.
    mutating func date() -> Int64? {
        guard let year = number(4, in: 1...9999), skip("-"), let month = number(2, in: 1...12), skip("-"),
            let day = number(2, in: 1...Self.days(in: month, of: year))
        else { return nil }
        return Self.days(year, month, day)
    }

    /// `06 Nov 1994`, with a weekday before it or none: RFC 5322 §3.3, and two digits of a year as RFC 2822 §4.3 reads
    /// them. Days since 1970.
    mutating func internetDate() -> Int64? {
        if let weekday = word() {
            guard ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].contains(weekday.prefix(3)) else { return nil }
            _ = skip(",")
            skipBlanks()
        }
        guard let day = number(2, in: 1...31) ?? number(1, in: 1...9), skipBlanks(), let name = word(),
            let index = Self.months.firstIndex(of: String(name.prefix(3))), skipBlanks(),
            let year = number(4, in: 1...9999) ?? number(2, in: 0...99).map({ $0 + ($0 < 50 ? 2000 : 1900) })
        else { return nil }
        let month = Int64(index + 1)
        return day <= Self.days(in: month, of: year) ? Self.days(year, month, day) : nil
    }

    /// Letters, in small ones; nil where there are none.
    mutating func word() -> String? {
        let letters = rest.prefix { (65...90).contains($0 & 0xDF) }
        guard !letters.isEmpty else { return nil }
        rest = rest.dropFirst(letters.count)
        return String(decoding: letters, as: UTF8.self).lowercased()
    }

    /// Whether there were any.
    @discardableResult
    mutating func skipBlanks() -> Bool {
        let count = rest.prefix { $0.isBlank || $0 == UInt8(ascii: "-") }.count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// `08:30`, `08:30:15` or `08:30:15.250`: milliseconds since midnight. A leap second counts as the one before it.
    mutating func clock() -> Int64? {
        guard let hour = number(2, in: 0...23), skip(":"), let minute = number(2, in: 0...59) else { return nil }
        var value = (hour * 60 + minute) * 60_000
        guard skip(":") else { return value }
        guard let second = number(2, in: 0...60) else { return nil }
        value += min(second, 59) * 1000
        guard skip(".") || skip(",") else { return value }
        let fraction = rest.prefix { (48...57).contains($0) }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count)
        let digits = Array(fraction.prefix(3)) + Array(repeating: 48, count: max(0, 3 - fraction.count))
        return value + digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
    }

    /// `Z`, `+02:00`, `+0200` or `-02`: milliseconds east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hours = number(2, in: 0...23) else { return nil }
        let hasColon = skip(":")
        guard let minutes = isAtEnd && !hasColon ? 0 : number(2, in: 0...59) else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes) * 60_000
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
