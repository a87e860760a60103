/// A point in time as a list needs it: one reading that never goes back, and the date that people are told.
struct Moment: Hashable, Sendable {
    /// Milliseconds on a clock that never goes back and stands for nothing outside this process.
    var uptime: Int64
    /// Milliseconds since 1970.
    var date: Int64
}
