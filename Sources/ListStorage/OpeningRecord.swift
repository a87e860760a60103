import Foundation

/// What a server notes in the file `lock` while it uses a folder: which opening it is, and how much was kept by it.
///
/// A database alone can't tell that it is older than what clients have seen. This can: it is written after every change
/// that was acknowledged, so a database that has less, or is of another opening, was put back. Its date tells the same of
/// the mark itself: a copy is written later than it says.
struct OpeningRecord: Hashable, Sendable {
    /// How far the clocks of this program and of the file system may differ, and how long a write may take, in
    /// milliseconds.
    static let tolerance: Int64 = 1000

    /// Random bits, made at every opening and for every epoch renewed in it; the database has them as well.
    var token: UInt64
    /// The sum of all revisions and run numbers of all lists. It never falls, for lists are never deleted.
    var tally: Int
    /// When the mark was written, in milliseconds since 1970.
    var date: Int64

    init(token: UInt64, tally: Int, date: Int64 = OpeningRecord.now) {
        self.token = token
        self.tally = tally
        self.date = date
    }

    /// The time by the clock that file systems take change times from.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec / 1_000_000)
    }

    /// Reads what `description` wrote; nil where it was not, or not whole.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let token = UInt64(parts[0], radix: 16), let tally = Int(parts[1]),
            let date = Int64(parts[2])
        else { return nil }
        self.init(token: token, tally: tally, date: date)
    }

    /// Whether a file that was changed last at that time can be the one this mark was written to.
    func wasWritten(to file: FileStamp) -> Bool {
        let changed = Int64(file.seconds) * 1000 + Int64(file.nanoseconds / 1_000_000)
        return abs(changed - date) <= Self.tolerance
    }
}

extension OpeningRecord: CustomStringConvertible {
    /// Token, tally and date on one line.
    var description: String { "\(String(token, radix: 16)) \(tally) \(date)" }
}
