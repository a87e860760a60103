/// The time as a client reads it, and waits for it: of any clock, and of the calendar.
struct ClientClock: Sendable {
    /// Since the client was made.
    let uptime: @Sendable () -> Duration
    /// Waits for so long; throws when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void
    /// Milliseconds since 1970.
    let date: @Sendable () -> Int64

    init(_ clock: some Clock<Duration>, date: @escaping @Sendable () -> Int64) {
        let start = clock.now
        uptime = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        self.date = date
    }

    var now: Moment { Moment(uptime: uptime(), date: date()) }
}
