/// A moment, as the rules of a client are told it.
struct Moment: Equatable {
    /// Since the client was made, by a clock that is never set.
    var uptime: Duration
    /// Milliseconds since 1970.
    var date: Int64

    static func + (moment: Moment, duration: Duration) -> Duration { moment.uptime + duration }
}

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

/// The numbers that a client gives out: of its messages, and of its gestures, which rise within a session.
struct Numbers {
    private var ids = 0
    private var gestures = 0

    mutating func nextID() -> String {
        ids += 1
        return String(ids)
    }

    mutating func nextGesture() -> Int {
        gestures += 1
        return gestures
    }
}
