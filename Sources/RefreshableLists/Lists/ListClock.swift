#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells a list the time. Tests have one that they advance.
package protocol ListClock: Sendable {
    var now: Moment { get }
    /// Whether time goes on while nobody advances it.
    var runsByItself: Bool { get }
}

/// The machine's own clocks.
struct SystemClock: ListClock {
    let runsByItself = true
    var now: Moment { Moment(uptime: read(CLOCK_MONOTONIC), date: read(CLOCK_REALTIME)) }

    private func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
