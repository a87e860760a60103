#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Points in time for logs: ISO 8601, in UTC, to the millisecond.
enum DateText {
    /// - Parameter date: milliseconds since 1970.
    static func utc(_ date: Int64) -> String {
        var seconds = time_t(date / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = [
            padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
        ]
        let clock = [padded(Int(parts.tm_hour), 2), padded(Int(parts.tm_min), 2), padded(Int(parts.tm_sec), 2)]
        return "\(day.joined(separator: "-"))T\(clock.joined(separator: ":")).\(padded(Int(date % 1000), 3))Z"
    }

    /// Now, in milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
