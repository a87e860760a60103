import KeyedLists
import ListProtocol

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The headings of a list in sections, as a terminal has them.
struct SectionHeading {
    let sections: Sections
    /// Milliseconds since 1970.
    let now: Int64

    /// The heading that a row stands under; nil if there is none.
    func text(of fields: Fields) -> String? {
        switch sections {
        case .field(let name): ShownRow.text(fields[Key(name)])
        case .day(let name): ShownRow.milliseconds(fields[Key(name)]).map { LocalDay($0).text(today: LocalDay(now)) }
        }
    }

    /// The rows that fit into so many lines, each with the heading that stands before it, if one does. The first of them always
    /// has that of its section.
    func fitting(_ rows: ArraySlice<(key: Key, fields: Fields)>, room: Int) -> [(row: Int, heading: String?)] {
        var fitting: [(row: Int, heading: String?)] = []
        var left = room
        var last: String?
        for (index, row) in zip(rows.indices, rows) {
            let text = text(of: row.fields)
            let heading = text == last ? nil : text
            left -= heading == nil ? 1 : 2
            guard left >= 0 else { break }
            fitting.append((index, heading))
            last = text
        }
        return fitting
    }

    /// How many rows at the end fit into so many lines.
    func lastCount(_ rows: ArraySlice<(key: Key, fields: Fields)>, room: Int) -> Int {
        var count = 0
        while count < rows.count, fitting(rows.suffix(count + 1), room: room).count > count { count += 1 }
        return count
    }
}

/// A calendar day of the person at the terminal.
struct LocalDay: Equatable {
    /// Counted without gaps.
    let number: Int
    private let year: Int
    private let month: Int
    private let day: Int

    /// - Parameter time: milliseconds since 1970.
    init(_ time: Int64) {
        var seconds = time_t((Double(time) / 1000).rounded(.down))
        var local = tm()
        localtime_r(&seconds, &local)
        (year, month, day) = (Int(local.tm_year) + 1900, Int(local.tm_mon), Int(local.tm_mday))
        (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (12, 0, 0, 0)
        number = Int((Double(timegm(&local)) / 86_400).rounded(.down))
    }

    /// `Today`, `Monday` within a week, `12 November`, `12 November 2024`.
    func text(today: LocalDay) -> String {
        switch number - today.number {
        case 0: "Today"
        case -1: "Yesterday"
        case 1: "Tomorrow"
        // 1 January 1970 was a Thursday.
        case -6 ... -2: Self.weekdays[((number + 3) % 7 + 7) % 7]
        default: "\(day) \(Self.months[month])\(year == today.year ? "" : " \(year)")"
        }
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
