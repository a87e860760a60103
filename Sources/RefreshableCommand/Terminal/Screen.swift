import KeyedLists
import ListProtocol
import RefreshableListsClient

/// A watched list as the lines of a terminal. Pure: what is to be seen goes in, lines as wide as the terminal come out.
///
///     Fruit                                   Updated 2 min ago
///     ▕█████████████           ▏ 120 of 400 · page 3
///
///       Apple      red · 4.99                               1 h ago
///     + Orange     new                                       just now
///
///     r refresh   ↑↓ scroll   / find   q quit            1–2 of 120
struct Screen {
    struct Size: Equatable {
        var columns: Int
        var rows: Int
    }

    /// What there is to see.
    struct Content {
        var title: String
        /// In order; of a long list, those about the ones that are seen.
        var rows: [(key: Key, fields: Fields)]
        /// How they are divided.
        var section: Sections?
        var state: ListState?
        var progress: WatchedList.Progress?
        var isRefreshable: Bool
        /// Shown instead of the list's state: a lost connection, a refusal.
        var notice: String?
        /// Whether a run ended a moment ago.
        var showsOutcome = false
        /// Rows that changed a moment ago.
        var marks: [Key: WatchedList.RowChange.Kind]
        /// How many rows come before these.
        var first = 0
        /// How many the list has; nil: these are all, and are not looked through.
        var total: Int?
        /// Whether more are still being looked for.
        var isSearching = false
        /// The first row to be seen, of all that the list has.
        var top: Int
        /// What is looked for, and whether it is being typed.
        var query = ""
        var isTyping = false
        /// Counts up while something is under way, for what turns.
        var tick: Int
        /// Milliseconds since 1970.
        var now: Int64
    }

    let size: Size
    let isColoured: Bool

    /// How many rows of the list fit.
    var room: Int { max(0, size.rows - 5) }

    /// Exactly as many lines as the terminal has.
    func lines(of content: Content) -> [String] {
        let fitting = fitting(content)
        let shown = fitting.map { ShownRow(content.rows[$0.row].key, content.rows[$0.row].fields, now: content.now) }
        var lines = [head(content), status(content), ""]
        let titles = columnWidth(shown.map(\.title))
        for ((row, heading), shown) in zip(fitting, shown) {
            if let heading { lines.append(faint(heading.fitting(size.columns))) }
            lines.append(line(shown, mark: content.marks[content.rows[row].key], titles: titles))
        }
        if content.rows.isEmpty, let state = content.state { lines.append(faint("  \(absence(content, state))")) }
        lines += Array(repeating: "", count: max(0, size.rows - 1 - lines.count))
        return (lines.prefix(max(0, size.rows - 1)) + [footer(content)]).suffix(size.rows)
    }

    /// The rows that are seen, with the headings of their sections.
    private func fitting(_ content: Content) -> [(row: Int, heading: String?)] {
        // Those that are late leave the screen empty for a moment.
        guard content.top >= content.first else { return [] }
        let start = min(content.top - content.first, content.rows.count)
        guard let section = content.section else {
            return content.rows.indices.dropFirst(start).prefix(room).map { ($0, nil) }
        }
        return SectionHeading(sections: section, now: content.now).fitting(content.rows[start...], room: room)
    }

    /// Why there are no rows. A list that was never loaded is not empty.
    private func absence(_ content: Content, _ state: ListState) -> String {
        guard content.query.isEmpty else { return "Nothing found" }
        guard content.isRefreshable, state.updatedAt == nil else { return "Nothing here yet" }
        return state.phase == .loading ? "" : "Not loaded yet"
    }

    private func head(_ content: Content) -> String {
        let age = age(content)
        let room = max(0, size.columns - age.displayWidth - 1)
        return Style.bold.of(content.title.clean.padded(room), isColoured: isColoured) + " "
            + (content.state?.staleSince == nil ? faint(age) : Style.yellow.of(age, isColoured: isColoured))
    }

    private func age(_ content: Content) -> String {
        let updated = content.state?.updatedAt.map { "Updated \(Age.text(of: $0, now: content.now))" } ?? ""
        guard content.state?.staleSince != nil else { return updated.fitting(size.columns / 2) }
        return (updated.isEmpty ? "Out of date" : "Out of date · \(updated.lowercased())").fitting(size.columns / 2)
    }

    private func status(_ content: Content) -> String {
        if let notice = content.notice {
            return Style.yellow.of(notice.clean.fitting(size.columns), isColoured: isColoured)
        }
        guard let state = content.state else { return faint("Connecting…".fitting(size.columns)) }
        if state.phase == .loading { return loading(content.progress, content.tick) }
        guard let last = state.last else { return "" }
        let summary = RunSummary(last)
        let style: Style = summary.isGood ? .green : .red
        return content.showsOutcome || !summary.isGood
            ? style.of(summary.text.clean.fitting(size.columns), isColoured: isColoured) : ""
    }

    /// A bar where the end is known, else something that turns.
    private func loading(_ progress: WatchedList.Progress?, _ tick: Int) -> String {
        let note = progress?.note?.clean ?? ""
        guard let progress, let total = progress.total, total > 0 else {
            let turning = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
            let count = progress.map { $0.completed > 0 ? "\($0.completed)" : "" } ?? ""
            let words = ["Refreshing…", count, note].filter { !$0.isEmpty }.joined(separator: " · ")
            return Style.cyan.of(turning[tick % turning.count], isColoured: isColoured) + " "
                + words.fitting(max(0, size.columns - 2))
        }
        let words = ["\(progress.completed) of \(total)", note].filter { !$0.isEmpty }.joined(separator: " · ")
        let width = min(40, max(0, size.columns / 2))
        let share = min(1, max(0, Double(progress.completed) / Double(total)))
        return "▕" + Style.cyan.of(Self.bar(share, width), isColoured: isColoured) + "▏ "
            + words.fitting(max(0, size.columns - width - 3))
    }

    /// In eighths of a column.
    private static func bar(_ share: Double, _ width: Int) -> String {
        let eighths = Int((share * Double(width * 8)).rounded(.down))
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return (String(repeating: "█", count: eighths / 8) + rest).padded(width)
    }

    private func line(_ row: ShownRow, mark: WatchedList.RowChange.Kind?, titles: Int) -> String {
        let end = row.end.fitting(size.columns / 3)
        let room = max(0, size.columns - 2 - (end.isEmpty ? 0 : end.displayWidth + 1))
        let title = row.title.padded(min(titles, room))
        let middle = "  ".fitting(room - title.displayWidth) + row.middle.padded(room - title.displayWidth - 2)
        let style: Style? =
            switch mark {
            case .inserted: .green
            case .changed: .yellow
            case .moved: .cyan
            case .removed, nil: nil
            }
        let shown = style.map { $0.of(title, isColoured: isColoured) } ?? title
        return "\(Self.sign(mark)) \(shown)\(faint(middle))" + (end.isEmpty ? "" : " " + faint(end))
    }

    /// So that a change is seen without colours too.
    private static func sign(_ mark: WatchedList.RowChange.Kind?) -> String {
        switch mark {
        case .inserted: "+"
        case .changed: "~"
        case .moved: ">"
        case .removed, nil: " "
        }
    }

    private func columnWidth(_ texts: [String]) -> Int {
        min(texts.map(\.displayWidth).max() ?? 0, max(12, size.columns / 2))
    }

    private func footer(_ content: Content) -> String {
        let count = fitting(content).count
        let total = content.total ?? content.rows.count
        let place =
            total > count
            ? "\(content.top + 1)–\(content.top + count) of \(total)\(content.isSearching ? "…" : "")" : ""
        let left = max(0, size.columns - place.displayWidth - 1)
        guard !content.isTyping else {
            return ("/\(content.query.clean)▏".padded(left) + " " + place).fitting(size.columns)
        }
        let begin = content.state?.phase == .loading ? "c cancel" : content.isRefreshable ? "r refresh" : ""
        let find = content.total == nil ? "" : content.query.isEmpty ? "/ find" : "/\(content.query.clean)"
        let keys = [[begin, "↑↓ scroll", find, "q quit"], [begin, find, "q quit"]]
            .map { $0.filter { !$0.isEmpty }.joined(separator: "   ") }
        // In a narrow window, what everybody tries is left out.
        let told = keys.first { $0.displayWidth <= left } ?? keys[1]
        return faint((told.padded(left) + " " + place).fitting(size.columns))
    }

    private func faint(_ text: String) -> String { Style.faint.of(text, isColoured: isColoured) }
}

/// How text looks on a terminal: by the control sequences of ECMA-48 §8.3.117 (SGR), or not at all.
enum Style: String {
    case bold = "1"
    case faint = "2"
    case inverse = "7"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    /// - Parameter isColoured: whether the terminal, and the person (NO_COLOR), want it.
    func of(_ text: String, isColoured: Bool) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Whether the person wants colours (https://no-color.org), and the terminal can draw them.
    static var isWanted: Bool {
        let name = EnvironmentVariables.value(of: "TERM") ?? ""
        return EnvironmentVariables.value(of: "NO_COLOR").map(\.isEmpty) ?? true && name != "" && name != "dumb"
    }
}
