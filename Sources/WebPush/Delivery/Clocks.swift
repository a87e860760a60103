#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension PushSender {
    /// Milliseconds since the machine's start; never goes back.
    static var uptime: Int64 { read(CLOCK_MONOTONIC).milliseconds }

    /// For signatures, whose end push services check.
    static var secondsSince1970: Int64 { read(CLOCK_REALTIME).seconds }

    private static func read(_ clock: clockid_t) -> (seconds: Int64, milliseconds: Int64) {
        var time = timespec()
        clock_gettime(clock, &time)
        return (Int64(time.tv_sec), Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
