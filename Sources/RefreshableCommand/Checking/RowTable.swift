import KeyedLists

/// A few rows as a table for a terminal: a column for the key and for each field that a page draws.
///
///       KEY   TITLE    BADGE
///       a     Apple    3
///       b     Banana   12
struct RowTable {
    /// Of the columns that a page draws, in its order.
    private static let names: [Key] = ["title", "subtitle", "detail", "time", "badge", "link", "image"]
    private static let indent = "  "
    private static let gap = 2
    /// No column is made narrower than this to make room for others.
    private static let narrowest = 6

    private let head: [String]
    private let cells: [[String]]

    /// - Parameter now: milliseconds since 1970, for ages.
    init(_ rows: [ListRow], now: Int64) {
        let members = rows.map(\.fields.members)
        let columns = Self.names.filter { name in members.contains { $0[name] != nil } }
        head = ["KEY"] + columns.map { $0.string.uppercased() }
        cells = zip(rows, members).map { row, members in
            [row.key.string.clean] + columns.map { Self.text(of: members[$0], in: $0, now: now) }
        }
    }

    /// - Parameters:
    ///   - width: in columns of the terminal; what does not fit is cut off, the widest columns first.
    ///   - isColoured: whether the line of names may be drawn faint.
    func lines(width: Int, isColoured: Bool) -> [String] {
        let widths = widths(in: width)
        let lines = ([head] + cells).map { Self.line($0, widths) }
        return [Style.faint.of(lines[0], isColoured: isColoured)] + lines.dropFirst()
    }

    private func widths(in width: Int) -> [Int] {
        var widths = head.indices.map { column in ([head] + cells).map { $0[column].displayWidth }.max() ?? 0 }
        let room = width - Self.indent.count - Self.gap * (widths.count - 1)
        var excess = widths.reduce(0, +) - room
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.narrowest
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0.padded($1) }.joined(separator: String(repeating: " ", count: gap))
        let end = padded.lastIndex { $0 != " " }.map { padded[...$0] } ?? ""
        return indent + end
    }

    private static func text(of value: JSONValue?, in column: Key, now: Int64) -> String {
        switch value {
        case nil, .null?: ""
        case .string(let text)?: text.clean
        case .number(let number)? where column == "time" && number.magnitude < 8.64e15:
            Age.text(of: Int64(number), now: now)
        case let value?: String(decoding: value.canonical, as: UTF8.self).clean
        }
    }
}
