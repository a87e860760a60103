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

    /// RFC 5322 §4.3. Milliseconds east of UTC; nil for a name that nobody can know.
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
