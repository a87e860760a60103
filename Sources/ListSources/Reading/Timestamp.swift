/// Reads the times that programs print.
enum Timestamp {
    /// Milliseconds since 1970 of an ISO 8601 time, or of seconds or milliseconds since 1970. Nil for anything else.
    ///
    /// A number below 10^11 counts seconds (until the year 5138), any other milliseconds. An ISO time needs its date;
    /// `T` or a blank stands before the clock; without an offset it is UTC.
    static func milliseconds(_ text: String) -> Int64? {
        if let number = Double(text) { return milliseconds(number) }
        var scanner = DateScanner(text)
        guard let days = scanner.date() else { return nil }
        guard !scanner.isAtEnd else { return days * 86_400_000 }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skip(" "), let clock = scanner.clock() else {
            return nil
        }
        _ = scanner.skip(" ")
        guard let offset = scanner.isAtEnd ? 0 : scanner.offset(), scanner.isAtEnd else { return nil }
        return days * 86_400_000 + clock - offset
    }

    /// Milliseconds since 1970 of a number of seconds or milliseconds; nil beyond what JSON can hold exactly.
    static func milliseconds(_ number: Double) -> Int64? {
        let value = (number.magnitude < 1e11 ? number * 1000 : number).rounded()
        return value.magnitude < 9_007_199_254_740_992 ? Int64(value) : nil
    }
}
