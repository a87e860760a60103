/// A point in time as a list needs it: one reading that never goes back, and the date that people are told.
package struct Moment: Hashable, Sendable {
    /// Milliseconds on a clock that never goes back and stands for nothing outside this process.
    package var uptime: Int64
    /// Milliseconds since 1970.
    package var date: Int64

    package init(uptime: Int64, date: Int64) {
        self.uptime = uptime
        self.date = date
    }
}
