/// A moment, as the rules of a client are told it.
struct Moment: Equatable {
    /// Since the client was made, by a clock that is never set.
    var uptime: Duration
    /// Milliseconds since 1970.
    var date: Int64

    static func + (moment: Moment, duration: Duration) -> Duration { moment.uptime + duration }
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
