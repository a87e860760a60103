import Foundation
import ListStorage

/// Decides whether lists keep their epochs when a database is opened. A pure rule.
///
/// Revisions may be counted on in the same epoch only if no revision that a client saw can have been lost since. That is
/// so in two cases:
///
///     closed cleanly:      the file is untouched since, by the stamp that was written beside it after the close, and no
///                          disk has lost anything of it, by the mark's tally
///     not closed cleanly:  the machine has not been started since (what was written but not synced is still there), the
///                          file is the same one, by its inode, it is of the last opening, by the token in the lock's
///                          mark, and it has all that was acknowledged, by the mark's tally
///
/// In every other case, as a copy, a restored backup or a loss of power, each list gets a new epoch and keeps its rows.
/// Decisions/02 tells what this sees and what it can't.
struct History: Hashable, Sendable {
    /// What the database recorded when it was last opened.
    struct Opening: Hashable, Sendable {
        var boot: String?
        var inode: UInt64
        /// Whether it was closed since.
        var isClosed: Bool
        /// Nil in a file of version 1, until it is opened again.
        var token: UInt64?
    }

    /// Nil in a database that has never been opened.
    var opening: Opening?
    /// How much the database has: the sum of all revisions and run numbers.
    var tally = 0
    /// What was written beside the file after the close.
    var seal: FileStamp?
    /// The file as it was found, before it was opened.
    var file: FileStamp?
    /// Whether a log with something in it was found: a close leaves none.
    var hasLog: Bool
    /// What the last holder of the folder left in its lock.
    var mark: OpeningRecord?
    /// The present name of the time since the machine was started.
    var boot: String?

    /// Whether lists may keep their epochs.
    var isVouchedFor: Bool { opening != nil && doubt == nil }

    /// Why they may not: what became of the file. Nil where they may, and where there was nothing before.
    var doubt: String? {
        guard let opening else { return nil }
        return opening.isClosed ? doubtOfSealed(opening) : doubtOfLost(opening)
    }

    private func doubtOfSealed(_ opening: Opening) -> String? {
        guard let seal, seal == file, !hasLog else {
            return "it was changed or put there after a server had closed it"
        }
        // By the seal nobody has written to it; what a disk makes of it is another thing.
        guard let mark, mark.token == opening.token, tally < mark.tally + mark.owed else { return nil }
        return "it lacks what a server had kept in it"
    }

    private func doubtOfLost(_ opening: Opening) -> String? {
        guard let boot, opening.boot == boot else {
            return "it was in use when this machine was last stopped, and may lack what was kept last"
        }
        guard let file, opening.inode == file.inode, let mark, opening.token == mark.token else {
            return "it is not the file that was in use when the last server was killed"
        }
        // The last change may be in the database and not in the mark, and would make up for a number that is owed.
        return tally >= mark.tally && mark.owed == 0 ? nil : "it lacks what the last server had kept in it"
    }
}

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
    /// The sum of all revisions and run numbers of all lists that were kept. It never falls, for lists are never deleted.
    var tally: Int
    /// The sum of the run numbers that people have heard of and that are yet to be kept.
    var owed: Int
    /// When the mark was written, in milliseconds since 1970.
    var date: Int64

    init(token: UInt64, tally: Int, owed: Int = 0, date: Int64 = OpeningRecord.now) {
        self.token = token
        self.tally = tally
        self.owed = owed
        self.date = date
    }

    /// The time by the clock that file systems take change times from.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec / 1_000_000)
    }

    /// Reads what `description` wrote, or what earlier versions did, without what is owed; nil where it was neither, or not
    /// whole.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: " ")
        let numbers = parts.dropFirst().compactMap { Int($0) }
        guard parts.count == 3 || parts.count == 4, numbers.count == parts.count - 1,
            let token = UInt64(parts[0], radix: 16)
        else { return nil }
        self.init(
            token: token, tally: numbers[0], owed: numbers.count == 3 ? numbers[1] : 0,
            date: Int64(numbers[numbers.count - 1]))
    }

    /// The same, as of now.
    var renewed: OpeningRecord { OpeningRecord(token: token, tally: tally, owed: owed) }

    /// Whether a file that was changed last at that time can be the one this mark was written to.
    func wasWritten(to file: FileStamp) -> Bool {
        let changed = Int64(file.seconds) * 1000 + Int64(file.nanoseconds / 1_000_000)
        return abs(changed - date) <= Self.tolerance
    }
}

extension OpeningRecord: CustomStringConvertible {
    /// Token, tally, what is owed and date on one line.
    var description: String { "\(String(token, radix: 16)) \(tally) \(owed) \(date)" }
}

/// The name of the time since this machine was started: two processes with the same one share a memory, and so what the
/// system has not yet written to the disk.
enum BootID {
    /// The name, or nil if the system has none; then history is trusted only after a clean close.
    static func current() -> String? {
        #if os(Linux)
            // random(4): "generated once at boot".
            guard let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else { return nil }
            return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #else
            var bytes = [UInt8](repeating: 0, count: 64)
            var count = bytes.count
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
            return String(decoding: bytes[..<count].prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }
}
